//! Panel of one resource of a pass: its picture or table, and how it is displayed.

use super::display::Display;
use super::picture_area::PictureArea;
use super::shell;
use crate::cost_grid;
use crate::instruments::PointedTexel;
use crate::settings::collapsing;
use crate::theme;
use crate::timings::{HoveredPass, RowCosts};
use instrument::{
    BufferTable, CapturePoint, PassResource, PassResources, PictureView, Pin, PinPicture, PinResult, ResourceShape,
    TexelKind, texel_kind,
};
use std::collections::BTreeMap;
use technique::Info;

use egui::{Label, Rect, ScrollArea, Ui, Vec2, vec2};

/// Bytes of a buffer that are read.
const BYTES: u64 = 16 << 10;

const NOTHING: &str = "It reads and writes no image and no buffer by a name.";

#[derive(Clone, Copy)]
pub struct ViewerState<'r, 'a> {
    /// Of the last captured frame.
    pub passes: &'r [PassResources],
    pub results: &'r BTreeMap<u64, PinResult>,
    /// Empty if unknown; so is the next.
    pub cost: &'a dyn Fn(&str) -> String,
    pub limits: &'a dyn Fn(&str) -> String,
    pub infos: &'a [Info],
    /// Texels to read on each side of the one under the pointer.
    pub reach: u32,
}

/// Of a texel, as the technique that has the image says.
fn meaning(infos: &[Info], image: &str, numbers: &[String]) -> Option<String> {
    let [number] = numbers else { return None };
    let bits = number.parse().ok()?;
    infos.iter().find_map(|info| (info.meaning)(image, bits))
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clicked {
    Close,
    Save,
    Details,
}

#[derive(Default)]
pub(super) struct Pinned {
    pub id: u64,
    pub pass: String,
    pub place: Option<Rect>,
    /// `None`: the first image that the pass writes, or the first resource.
    binding: Option<String>,
    mip: Option<u32>,
    is_before: bool,
    first_row: u64,
    display: Display,
    area: PictureArea,
    /// Hole for the picture in the last frame.
    pub hole: Option<Rect>,
}

fn height(ui: &Ui, text: &str) -> f32 {
    let text: egui::WidgetText = theme::small(text).into();
    let wrap = Some(egui::TextWrapMode::Wrap);
    text.into_galley(ui, wrap, ui.available_width(), egui::FontSelection::Default).size().y
}

impl Pinned {
    pub fn new(id: u64, pass: &str) -> Self {
        Self { id, pass: pass.to_owned(), ..Self::default() }
    }

    /// Those of passes of the same name together.
    fn resources<'a>(&self, state: &ViewerState<'a, '_>) -> Vec<&'a PassResource> {
        let mut all: Vec<&PassResource> = Vec::new();
        for resource in state.passes.iter().filter(|pass| pass.pass == self.pass).flat_map(|pass| &pass.resources) {
            if !all.iter().any(|known| known.binding == resource.binding) {
                all.push(resource);
            }
        }
        all
    }

    fn resource<'a>(&self, state: &ViewerState<'a, '_>) -> Option<&'a PassResource> {
        let all = self.resources(state);
        let is_image =
            |resource: &&&PassResource| matches!(resource.shape, ResourceShape::Image { can_be_copied: true, .. });
        let named = |binding: &String| all.iter().find(|resource| resource.binding == *binding);
        let default = || {
            let written = all.iter().filter(|resource| resource.is_written);
            written.clone().find(is_image).or_else(|| written.clone().next()).or_else(|| all.first())
        };
        self.binding.as_ref().and_then(named).or_else(default).copied()
    }

    fn point(&self, resource: &PassResource) -> CapturePoint {
        let bytes = match &resource.shape {
            ResourceShape::Buffer { records, .. } => {
                let stride = BufferTable::stride(records) as u64;
                let start = if self.first_row == 0 { 0 } else { records.start as u64 + self.first_row * stride };
                start..start + BYTES
            }
            ResourceShape::Image { .. } => 0..u64::MAX,
        };
        let mip = self.mip.filter(|_| matches!(resource.shape, ResourceShape::Image { .. }));
        CapturePoint { mip, is_before: self.is_before, bytes, ..CapturePoint::new(&self.pass, &resource.binding) }
    }

    pub fn pin(&self, ctx: &egui::Context, state: &ViewerState<'_, '_>) -> Option<Pin> {
        let resource = self.resource(state)?;
        let size = state.results.get(&self.id).and_then(|result| result.image);
        let placed = self.hole.zip(size).map(|(hole, (size, format))| {
            let pixels = ctx.pixels_per_point();
            let rect = [hole.left(), hole.top(), hole.right(), hole.bottom()].map(|at| (at * pixels).round() as i32);
            let step = self.area.step(hole, size) / pixels;
            let first = self.area.first(hole, size) + Vec2::splat(0.5 * step);
            let (view, is_automatic) = self.display.view(texel_kind(format), glam::Vec2::new(first.x, first.y), step);
            (PinPicture { rect, view, is_automatic }, self.area.region(hole, size, state.reach))
        });
        let (picture, texels) = placed.unzip();
        Some(Pin { id: self.id, point: self.point(resource), picture, texels: texels.flatten() })
    }

    pub fn preview(&mut self, ui: &mut Ui, size: Vec2, state: &ViewerState<'_, '_>, row: &HoveredPass) {
        self.framed(ui, size, !self.has_none(state), |pinned, ui| {
            pinned.title(ui, state, row.costs.as_ref(), false);
            let below = row.costs.as_ref().map_or(114.0, |costs| 170.0 + height(ui, &costs.notes));
            pinned.content(ui, (size.y - below).max(20.0), state);
            if let Some(costs) = &row.costs {
                let of = match costs.is_group {
                    true => format!("Of all its passes; picture of {}", pinned.pass),
                    false => pinned.pass.clone(),
                };
                ui.add(Label::new(theme::small(of)).truncate());
                cost_grid::show(ui, &costs.sides);
                theme::note(ui, &costs.notes);
            } else {
                ui.label(theme::small("A click pins it."));
            }
        });
    }

    pub fn has_resource(&self, state: &ViewerState<'_, '_>) -> bool {
        self.resource(state).is_some()
    }

    /// Its pass is known to have no resource: the panel is as high as its text.
    pub fn has_none(&self, state: &ViewerState<'_, '_>) -> bool {
        !self.has_resource(state) && state.passes.iter().any(|pass| pass.pass == self.pass)
    }

    /// Nothing is missing in the picture or the table.
    pub fn is_complete(&self, state: &ViewerState<'_, '_>) -> bool {
        let Some(result) = state.results.get(&self.id) else { return false };
        result.figures.is_some() || result.bytes.is_some() || result.problem.is_some()
    }

    pub fn pointed<'a>(&self, at: egui::Pos2, state: &ViewerState<'a, '_>) -> Option<PointedTexel<'a>> {
        let hole = self.hole.filter(|hole| hole.contains(at))?;
        let (resource, result) = (self.resource(state)?, state.results.get(&self.id)?);
        let (size, format) = result.image?;
        let texel = self.area.texel_at(hole, size, at)?;
        let (view, _) = self.display.view(texel_kind(format), glam::Vec2::ZERO, 1.0);
        let view = PictureView { range: result.range.unwrap_or(view.range), ..view };
        let writes =
            |pass: &&PassResources| pass.resources.iter().any(|other| other.is_written && other.name == resource.name);
        let until = state.passes.iter().rposition(|pass| pass.pass == self.pass)? + usize::from(!self.is_before);
        let writer = state.passes[..until].iter().rfind(writes).map(|pass| pass.pass.as_str());
        let texels = result.texels.as_ref();
        let numbers = texels.and_then(|texels| texels.numbers(texel[0], texel[1]));
        let meaning = numbers.and_then(|numbers| meaning(state.infos, &resource.name, &numbers));
        Some(PointedTexel { at: texel, texels, view, meaning, writer })
    }

    /// What the texel under the pointer is, while it is in this picture.
    pub fn texel_text(&self) -> Option<&str> {
        self.area.texel.as_deref()
    }

    pub fn saved_point(&self, state: &ViewerState<'_, '_>) -> Option<CapturePoint> {
        Some(CapturePoint { bytes: 0..u64::MAX, ..self.point(self.resource(state)?) })
    }

    pub fn show(&mut self, ui: &mut Ui, size: Vec2, state: &ViewerState<'_, '_>) -> Option<Clicked> {
        self.framed(ui, size, self.has_resource(state), |pinned, ui| {
            let clicked = pinned.title(ui, state, None, true);
            pinned.choose_resource(ui, state);
            let is_image = pinned.format(state).is_some();
            pinned.content(ui, size.y - if is_image { 176.0 } else { 118.0 }, state);
            if let Some(kind) = pinned.format(state) {
                let figures = state.results.get(&pinned.id).and_then(|result| result.figures.as_ref());
                pinned.display.choose(ui, kind, figures);
            }
            clicked
        })
    }

    fn framed<T>(&mut self, ui: &mut Ui, size: Vec2, is_full: bool, add: impl FnOnce(&mut Self, &mut Ui) -> T) -> T {
        let below = ui.painter().add(egui::Shape::Noop);
        self.hole = None;
        let frame = egui::Frame::new().inner_margin(f32::from(theme::PADDING));
        let shown = frame.show(ui, |ui| {
            let inner = size - Vec2::splat(2.0 * f32::from(theme::PADDING));
            ui.set_width(inner.x);
            if is_full {
                ui.set_height(inner.y);
            }
            ui.spacing_mut().item_spacing.y = 4.0;
            add(self, ui)
        });
        shell::fill(ui, below, shown.response.rect, self.hole);
        shown.inner
    }

    /// Name and cost; buttons if it is pinned.
    fn title(
        &self,
        ui: &mut Ui,
        state: &ViewerState<'_, '_>,
        row: Option<&RowCosts>,
        is_pinned: bool,
    ) -> Option<Clicked> {
        let mut clicked = None;
        let group = row.filter(|row| row.is_group);
        let title = group.map_or(self.pass.as_str(), |row| row.title.as_str());
        ui.horizontal(|ui| {
            ui.set_height(18.0);
            theme::from_right(ui, |ui| {
                if is_pinned {
                    ui.spacing_mut().item_spacing.x = 4.0;
                    clicked = collapsing::cross(ui, "Close").then_some(Clicked::Close);
                    if theme::push(ui, "Save", "Save the numbers in the pictures folder (.npy, and .png or .exr)") {
                        clicked = Some(Clicked::Save);
                    }
                    if theme::push(ui, "Details", "Limits, registers and source of the pass") {
                        clicked = Some(Clicked::Details);
                    }
                }
                if let Some(row) = group {
                    ui.label(theme::figure(&row.sides[0][1]).color(theme::QUIET));
                }
                theme::rest(ui, |ui| {
                    ui.add(Label::new(theme::heading(title)).truncate().selectable(false));
                });
            });
        });
        let hint = "GPU time, as in Inspect; bytes that it binds, each once, or the technique's count; in a second; beside a copy of as many bytes";
        // The bytes of a group are in its notes.
        if group.is_none() {
            let texts = [(state.cost)(&self.pass), (state.limits)(&self.pass)];
            let known: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
            ui.add(Label::new(theme::small(known.join(" \u{b7} "))).truncate()).on_hover_text(hint);
        }
        if !is_pinned {
            let none = if self.has_none(state) { NOTHING } else { "" };
            let text = self.resource(state).map_or_else(|| none.to_owned(), described);
            ui.add(Label::new(theme::small(text)).truncate());
        }
        clicked
    }

    fn choose_resource(&mut self, ui: &mut Ui, state: &ViewerState<'_, '_>) {
        let all = self.resources(state);
        let Some(now) = self.resource(state) else {
            let why = if self.has_none(state) { NOTHING } else { "The last frame has no such pass." };
            ui.label(theme::small(why));
            return;
        };
        let mut chosen = now.binding.clone();
        ui.horizontal(|ui| {
            let width = ui.available_width() - 96.0;
            egui::ComboBox::from_id_salt(("resource", self.id))
                .icon(collapsing::combo_icon)
                .width(width)
                .selected_text(described(now))
                .truncate()
                .show_ui(ui, |ui| {
                    for resource in &all {
                        ui.selectable_value(&mut chosen, resource.binding.clone(), described(resource));
                    }
                });
            if let ResourceShape::Image { mips, .. } = &now.shape
                && mips.len() > 1
            {
                let mut mip = self.mip.unwrap_or(mips.start).clamp(mips.start, mips.end - 1);
                let range = mips.start..=mips.end - 1;
                let level = egui::DragValue::new(&mut mip).range(range).prefix("mip ").speed(0.05);
                if ui.add(level).on_hover_text("Mip level").changed() {
                    self.mip = Some(mip);
                }
            }
            let text = if self.is_before { "before" } else { "after" };
            if theme::push(ui, text, "Contents after the pass; click for those before it") {
                self.is_before = !self.is_before;
            }
        });
        if chosen != now.binding {
            (self.binding, self.mip, self.first_row) = (Some(chosen), None, 0);
            (self.display, self.area) = Default::default();
        }
    }

    fn format(&self, state: &ViewerState<'_, '_>) -> Option<(TexelKind, usize)> {
        let (_, format) = state.results.get(&self.id)?.image?;
        Some(texel_kind(format))
    }

    fn content(&mut self, ui: &mut Ui, height: f32, state: &ViewerState<'_, '_>) {
        let result = state.results.get(&self.id);
        let problem = result.and_then(|result| result.problem.as_deref());
        match (problem, self.resource(state).map(|resource| &resource.shape)) {
            (Some(problem), _) => {
                ui.allocate_ui(vec2(ui.available_width(), height), |ui| theme::note(ui, problem));
            }
            (None, Some(ResourceShape::Image { .. })) => {
                let image = self.resource(state).map_or("", |resource| resource.name.as_str());
                let hole = self.area.show(ui, height, result, &|numbers| meaning(state.infos, image, numbers));
                self.hole = result.is_some_and(|result| result.image.is_some()).then_some(hole);
            }
            (None, Some(ResourceShape::Buffer { bytes, records })) => {
                let read = result.and_then(|result| result.bytes.as_ref());
                let table = read.map(|(range, bytes)| (range.start, BufferTable::new(records, range.start, bytes)));
                self.table(ui, height, *bytes, table);
            }
            (None, None) => {}
        }
    }

    fn table(&mut self, ui: &mut Ui, height: f32, bytes: u64, table: Option<(u64, BufferTable<'_>)>) {
        let Some((first, table)) = table else {
            ui.allocate_ui(vec2(ui.available_width(), height), |_| ());
            return;
        };
        ui.allocate_ui(vec2(ui.available_width(), height - 24.0), |ui| {
            ui.set_height(height - 24.0);
            let header = table.header();
            let scroll = ScrollArea::both().id_salt(("table", self.id)).auto_shrink(false);
            scroll.show(ui, |ui| {
                for (name, number) in &header {
                    ui.add(Label::new(theme::figure(format!("{name} = {number}"))).extend());
                }
                let grid = egui::Grid::new(("rows", self.id)).striped(true).spacing(vec2(12.0, 2.0));
                grid.show(ui, |ui| {
                    ui.label("");
                    for column in table.columns() {
                        ui.add(Label::new(theme::small(column)).extend());
                    }
                    ui.end_row();
                    for row in 0..table.rows().min(64) {
                        ui.label(theme::figure((self.first_row + row as u64).to_string()).color(theme::DIM));
                        for number in table.row(row) {
                            ui.add(Label::new(theme::figure(number)).extend());
                        }
                        ui.end_row();
                    }
                });
            });
        });
        ui.horizontal(|ui| {
            ui.add(egui::DragValue::new(&mut self.first_row).prefix("row ").speed(1.0))
                .on_hover_text("The first row shown");
            ui.label(theme::small(format!("byte {first} of {bytes}")));
        });
    }
}

/// `visibility: 1280x720 R32U, written`.
fn described(resource: &PassResource) -> String {
    let access = match (resource.is_read, resource.is_written) {
        (true, true) => "read and written",
        (false, _) => "written",
        _ => "read",
    };
    match &resource.shape {
        ResourceShape::Image { size: [width, height], format, mips, .. } => {
            let levels = if mips.len() > 1 { format!(", {} mips", mips.len()) } else { String::new() };
            format!("{}: {width}x{height} {format:?}{levels}, {access}", resource.binding)
        }
        ResourceShape::Buffer { bytes, .. } => {
            format!("{}: {}, {access}", resource.binding, base::text::bytes(*bytes))
        }
    }
}
