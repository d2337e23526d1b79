//! Limits of passes: bytes and bandwidth beside a copy's in the table of the timings, and a panel of one pass with the driver's figures
//! of its pipelines, and their source.

mod source_rows;
#[cfg(test)]
mod tests;

use self::source_rows::{SourceFolds, SourceRow, first_row, origin, resolved, rows};
use super::{Instrument, InstrumentInfo, PanelContext, Signals};
use crate::figure_table::{self, Figure};
use crate::layout::opaque;
use crate::limits::{clock_lamp, device_line, sentences};
use crate::settings::collapsing;
use crate::{UiAction, UiState, theme};
use base::text::{bytes, thousands};
use egui::{Align2, Context, Label, Rect, ScrollArea, Sense, Ui, WidgetType, pos2, vec2};
use instrument::{
    ConstantOrigin, DriverFigures, FrameRequest, FrameResults, Invocations, PassLimits, PassResource, PipelineDetails,
    ProgramFigures, ResourceShape, ShaderText,
};

pub const INFO: InstrumentInfo = InstrumentInfo { id: "limits", title: "Limits", ..InstrumentInfo::NONE };

/// Greatest and least width.
const WIDTH: [f32; 2] = [560.0, 300.0];
/// Fraction of the free width.
const PART: f32 = 0.6;
const LINE: f32 = 15.0;
const NUMBERS: f32 = 34.0;

#[derive(Default)]
pub struct Details {
    pass: Option<String>,
    /// Indices of the pass's pipeline and of its shader.
    pipeline: usize,
    shader: usize,
    folds: SourceFolds,
    /// Texts of the lines at which the source opens.
    lines: &'static [&'static str],
    jump: Option<usize>,
    /// Last texel of its picture that was under the pointer.
    texel: String,
    /// Passes in a table of limits.
    listed: Vec<String>,
}

impl Details {
    pub fn pass(&self) -> Option<&str> {
        self.pass.as_deref()
    }

    pub fn toggle(&mut self, pass: &str, lines: &'static [&'static str]) {
        let is_same = self.lines == lines;
        let pass = Some(pass.to_owned()).filter(|pass| !is_same || self.pass.as_ref() != Some(pass));
        // The last shader of a draw is the one that costs most.
        *self = Self { pass, lines, shader: usize::MAX, listed: std::mem::take(&mut self.listed), ..Self::default() };
    }

    fn end(&mut self) {
        *self = Self { listed: std::mem::take(&mut self.listed), ..Self::default() };
    }

    /// `us`: GPU time of the pass. Returns its rectangle.
    fn show(
        &mut self,
        ctx: &Context,
        space: Rect,
        us: Option<f64>,
        state: &FrameResults<'_>,
        actions: &mut Vec<UiAction>,
    ) -> Option<Rect> {
        let pass = self.pass.clone()?;
        let width = WIDTH[0].min(space.width() * PART).max(WIDTH[1]);
        if space.width() < width || space.height() < 200.0 {
            return None;
        }
        let place = space.with_min_x(space.right() - width);
        let mut is_closed = false;
        let is_image = |resource: &PassResource| matches!(resource.shape, ResourceShape::Image { .. });
        let has_picture = state.passes.iter().any(|known| known.pass == pass && known.resources.iter().any(is_image));
        let place = opaque(ctx, "details", (place, Align2::RIGHT_TOP), theme::panel(), |ui, inner| {
            ui.set_width(inner.x);
            ui.set_height(inner.y);
            ui.spacing_mut().item_spacing.y = 4.0;
            is_closed = head(ui, &pass);
            if has_picture {
                let none = "A texel under the pointer in its pinned picture appears here.";
                let text = match self.texel.as_str() {
                    "" => theme::small(none),
                    texel => theme::figure(texel),
                };
                ui.add(Label::new(text).truncate());
            }
            limits(ui, &pass, us, state);
            self.pipelines(ui, state, actions);
        });
        if is_closed {
            self.end();
        }
        Some(place)
    }

    fn pipelines(&mut self, ui: &mut Ui, state: &FrameResults<'_>, actions: &mut Vec<UiAction>) {
        // For a frame they are those of the pass before.
        let details = state.details.filter(|details| details.pass() == self.pass());
        let all = details.map_or(&[][..], |details| details.pipelines());
        self.pipeline = self.pipeline.min(all.len().saturating_sub(1));
        let Some(now) = all.get(self.pipeline) else {
            let is_listed = state.passes.iter().any(|known| Some(&known.pass) == self.pass.as_ref());
            let text = if is_listed { "It runs no shader." } else { "It did not run since." };
            ui.label(theme::small(text));
            return;
        };
        collapsing::rule(ui);
        let before = (self.pipeline, self.shader);
        if all.len() > 1 {
            egui::ComboBox::from_id_salt("pipeline")
                .icon(collapsing::combo_icon)
                .width(ui.available_width() - 8.0)
                .selected_text(title(now, self.pipeline))
                .truncate()
                .show_ui(ui, |ui| {
                    for (number, pipeline) in all.iter().enumerate() {
                        ui.selectable_value(&mut self.pipeline, number, title(pipeline, number));
                    }
                });
        }
        driver_figures(ui, &now.figures);
        let shaders = match &now.shaders {
            Ok(shaders) => shaders,
            Err(why) => {
                theme::note(ui, why);
                return;
            }
        };
        self.shader = self.shader.min(shaders.len().saturating_sub(1));
        collapsing::rule(ui);
        ui.horizontal_wrapped(|ui| {
            for (number, shader) in shaders.iter().enumerate() {
                if ui.selectable_label(self.shader == number, theme::small(&shader.name)).clicked() {
                    self.shader = number;
                }
            }
            let copies = theme::push(ui, "Copy", "Copy the text with its includes and constants");
            if let Some(shader) = shaders.get(self.shader).filter(|_| copies) {
                actions.push(UiAction::Copy(resolved(shader)));
            }
        });
        if (self.pipeline, self.shader) != before {
            self.folds = SourceFolds::default();
            self.jump = shaders.get(self.shader).and_then(|text| first_row(text, self.lines, &mut self.folds));
        }
        if let Some(shader) = shaders.get(self.shader) {
            self.source(ui, shader);
        }
    }

    fn source(&mut self, ui: &mut Ui, text: &ShaderText) {
        let all = rows(text, &self.folds);
        let mut toggled = None;
        theme::well().show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            ui.spacing_mut().item_spacing.y = 0.0;
            let mut scroll = ScrollArea::both().id_salt(("source", &text.name)).auto_shrink(false);
            if let Some(row) = self.jump.take() {
                scroll = scroll.vertical_scroll_offset((row as f32 - 6.0).max(0.0) * LINE);
            }
            scroll.show_rows(ui, LINE, all.len(), |ui, shown| {
                for row in all.get(shown).unwrap_or_default() {
                    match row {
                        SourceRow::Head { section, title, is_open } => {
                            if section_head(ui, title, *is_open) {
                                toggled = Some(*section);
                            }
                        }
                        SourceRow::Constant(constant) => {
                            let value = format!("{} = {}", constant.name, constant.value);
                            line(ui, None, [(&value, theme::TEXT), (origin(constant), theme::DIM)], false);
                        }
                        SourceRow::Line { number, text } => {
                            let is_marked = self.lines.iter().any(|line| text.contains(line));
                            line(ui, Some(*number), [(text, color_of(text)), ("", theme::DIM)], is_marked);
                        }
                    }
                }
            });
        });
        toggled.into_iter().for_each(|section| self.folds.toggle(section));
    }
}

fn head(ui: &mut Ui, pass: &str) -> bool {
    let mut closed = false;
    ui.horizontal(|ui| {
        ui.set_height(18.0);
        theme::from_right(ui, |ui| {
            closed = collapsing::cross(ui, "Close the details");
            theme::rest(ui, |ui| {
                ui.add(Label::new(theme::heading(pass)).truncate());
            });
        });
    });
    closed
}

impl Instrument for Details {
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        self.pass.is_some()
    }

    fn close(&mut self, _: &UiState<'_>, _: &mut Vec<UiAction>) -> bool {
        let was_open = self.pass.is_some();
        self.end();
        was_open
    }

    fn panel(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Rect {
        self.listed = std::mem::take(&mut panel.signals.limited);
        if let Some([_, texel]) = panel.signals.texel.take().filter(|[pass, _]| self.pass() == Some(pass)) {
            self.texel = texel;
        }
        let us = self.pass().and_then(|pass| panel.timings.run_us(pass));
        let rect = self.show(ctx, space, us, &panel.state.results, panel.actions).filter(|_| panel.is_free);
        rect.map_or(space, |rect| space.with_max_x(rect.left() - theme::GAP))
    }

    fn request(&mut self, signals: &mut Signals, frame: &mut FrameRequest) {
        signals.detailed.iter().for_each(|(pass, lines)| self.toggle(pass, lines));
        frame.details.clone_from(&self.pass);
        frame.passes.extend(self.pass.clone());
        frame.measures_device |= self.pass.is_some() || !self.listed.is_empty();
        frame.passes.append(&mut self.listed);
    }
}

fn limits(ui: &mut Ui, pass: &str, us: Option<f64>, state: &FrameResults<'_>) {
    let lines = match PassLimits::of(state.passes, |known| known == pass) {
        Some(limits) => sentences(&limits, us, state.device()),
        None => vec!["It did not run since.".into()],
    };
    ui.spacing_mut().item_spacing.y = 1.0;
    for text in lines.into_iter().chain([device_line(state)]).filter(|text| !text.is_empty()) {
        ui.add(Label::new(theme::small(text).color(theme::TEXT)).wrap());
    }
    if let Some(counts) = state.details.and_then(|details| details.invocations()) {
        ui.add(Label::new(theme::small(invocations(&counts)).color(theme::TEXT)).wrap());
    }
    clock_lamp(ui, state.clock);
    ui.spacing_mut().item_spacing.y = 4.0;
}

fn invocations(counts: &Invocations) -> String {
    let stages = [("vertex", counts.vertex), ("fragment", counts.fragment), ("compute", counts.compute)];
    let parts = stages.into_iter().filter_map(|(stage, count)| Some(format!("{} {stage}", thousands(count?))));
    let parts: Vec<String> = parts.collect();
    match parts.is_empty() {
        true => "Shader invocations are not counted for this pass.".into(),
        false => format!("Shader invocations in a frame: {}.", parts.join(", ")),
    }
}

fn title(pipeline: &PipelineDetails, number: usize) -> String {
    match &pipeline.shaders {
        Ok(shaders) => {
            let names = shaders.iter().map(|shader| shader.name.as_str()).collect::<Vec<_>>().join(" + ");
            let all = shaders.iter().flat_map(|shader| &shader.constants);
            let set = all.filter(|constant| constant.origin == ConstantOrigin::Pipeline);
            let mut set: Vec<String> = set.map(|one| format!("{} {}", one.name, one.value)).collect();
            set.dedup();
            [vec![names], set].concat().join(", ")
        }
        Err(_) => format!("pipeline {}", number + 1),
    }
}

fn driver_figures(ui: &mut Ui, figures: &DriverFigures) {
    let text = match figures {
        DriverFigures::Known(programs) if !programs.is_empty() => return programs_grid(ui, programs),
        DriverFigures::Known(_) | DriverFigures::NotOffered => {
            "Registers and occupancy: not offered by this driver (VK_KHR_pipeline_executable_properties).".to_owned()
        }
        DriverFigures::Awaited => "Registers and occupancy: the driver compiles the pipeline for them ...".into(),
        DriverFigures::Failed(why) => format!("Registers and occupancy: {why}"),
    };
    theme::note(ui, text);
}

fn programs_grid(ui: &mut Ui, programs: &[ProgramFigures]) {
    const HEADS: [(&str, &str); 7] = [
        ("lanes", "Invocations of a subgroup"),
        ("registers", "Registers of an invocation; then those of a subgroup, where there are some"),
        ("spilled", "Registers that do not fit, scalar ones too"),
        ("shared", "Memory that a workgroup shares"),
        ("scratch", "Memory of an invocation for what does not fit into registers"),
        ("occupancy", "Subgroups that a SIMD keeps at once"),
        ("code", "Size of the code"),
    ];
    let row = |program: &ProgramFigures| {
        let number = |figure: Option<u64>| figure.map_or("\u{2014}".into(), |figure| figure.to_string());
        let size = |figure: Option<u64>| figure.map_or("\u{2014}".into(), bytes);
        let registers = match program.scalar_registers {
            Some(scalar) => format!("{} + {scalar}", number(program.registers)),
            None => number(program.registers),
        };
        let figures = [
            number(program.lanes.map(u64::from)),
            registers,
            number(program.spills()),
            size(program.shared_bytes),
            size(program.scratch_bytes),
            number(program.waves),
            size(program.code_bytes),
        ];
        (program.name.clone(), Vec::from(figures.map(Figure::new)))
    };
    let rows: Vec<_> = programs.iter().map(row).collect();
    figure_table::show(ui, "programs", ("", &HEADS), &rows);
}

fn section_head(ui: &mut Ui, title: &str, is_open: bool) -> bool {
    let width = ui.available_width().max(ui.clip_rect().width());
    let (rect, _) = ui.allocate_exact_size(vec2(width, LINE), Sense::hover());
    let response = ui.interact(rect, ui.id().with(("section", title)), Sense::click());
    theme::speak(&response, WidgetType::CollapsingHeader, title);
    let color = if response.hovered() { theme::STRONG } else { theme::ACCENT };
    collapsing::chevron(ui, pos2(rect.left() + 7.0, rect.center().y), if is_open { 1.0 } else { 0.0 }, color);
    let at = pos2(rect.left() + 18.0, rect.center().y);
    ui.painter().text(at, Align2::LEFT_CENTER, title, theme::figures(), color);
    response.clicked()
}

fn line(ui: &mut Ui, number: Option<usize>, texts: [(&str, egui::Color32); 2], is_marked: bool) {
    let font = theme::figures();
    let painter = ui.painter().clone();
    let galleys = texts.map(|(text, color)| painter.layout_no_wrap(text.replace('\t', "    "), font.clone(), color));
    let width = NUMBERS + galleys.iter().map(|galley| galley.size().x + 14.0).sum::<f32>();
    let (rect, response) = ui.allocate_exact_size(vec2(width, LINE), Sense::hover());
    theme::speak(&response, WidgetType::Label, format!("{} {}", texts[0].0, texts[1].0).trim_end());
    if is_marked {
        painter.rect_filled(rect, 2.0, theme::CHOSEN);
    }
    if let Some(number) = number {
        let at = pos2(rect.left() + NUMBERS - 8.0, rect.center().y);
        painter.text(at, Align2::RIGHT_CENTER, number, font, theme::DIM);
    }
    let mut x = rect.left() + NUMBERS;
    for (galley, (_, color)) in galleys.into_iter().zip(texts) {
        let at = pos2(x, rect.center().y - galley.size().y / 2.0);
        x += galley.size().x + 14.0;
        painter.galley(at, galley, color);
    }
}

fn color_of(line: &str) -> egui::Color32 {
    match line.trim_start() {
        comment if comment.starts_with("//") => theme::DIM,
        directive if directive.starts_with('#') => theme::WARN.lerp_to_gamma(theme::TEXT, 0.35),
        _ => theme::TEXT,
    }
}
