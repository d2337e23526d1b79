//! Panel of one resource of a pass: its picture or table, and how it is displayed.

use super::shell;
use crate::instrument::{
    BufferTable, CapturePoint, PassResource, PassResources, PictureLook, PictureView, Pin, PinPicture, PinResult,
    ResourceShape, TexelKind, texel_kind,
};
use crate::ui::settings::collapsing;
use crate::ui::theme;
use std::collections::BTreeMap;

use egui::{Align, Align2, Color32, FontId, Label, Layout, Rect, ScrollArea, Sense, Ui, Vec2, pos2, vec2};

/// Points of a texel from which on its numbers are written into it.
const TEXEL_TEXT: f32 = 44.0;
/// Largest magnification, points of a texel.
const TEXEL_MOST: f32 = 160.0;
/// Bytes of a buffer that are read.
const BYTES: u64 = 16 << 10;

/// What the viewer knows of the frames.
#[derive(Clone, Copy)]
pub struct ViewerState<'a> {
    /// The passes of the last captured frame.
    pub passes: &'a [PassResources],
    /// The results of the pins, by their ids.
    pub results: &'a BTreeMap<u64, PinResult>,
    /// Cost of a pass as text, empty if unknown.
    pub cost: &'a dyn Fn(&str) -> String,
}

/// Lower and upper end of the displayed values.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Range {
    Automatic,
    Fixed([f32; 2]),
}

/// A button of a panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clicked {
    Close,
    Save,
}

/// A displayed resource.
pub(super) struct Pinned {
    pub id: u64,
    pub pass: String,
    /// `None`: the first image that the pass writes, or the first resource.
    binding: Option<String>,
    mip: Option<u32>,
    is_before: bool,
    look: Option<PictureLook>,
    channel: u32,
    range: Range,
    /// Stops by which colours are brightened.
    exposure: f32,
    /// Magnification over the size that fits, and the point of the image at the middle, 0 to 1.
    zoom: f32,
    middle: Vec2,
    first_row: u64,
    /// Hole for the picture, in points, and the texel under the pointer, of the last frame.
    hole: Option<Rect>,
    pointed: Option<[u32; 2]>,
}

impl Pinned {
    pub fn new(id: u64, pass: &str) -> Self {
        Self {
            id,
            pass: pass.to_owned(),
            binding: None,
            mip: None,
            is_before: false,
            look: None,
            channel: 0,
            range: Range::Automatic,
            exposure: 0.0,
            zoom: 1.0,
            middle: Vec2::splat(0.5),
            first_row: 0,
            hole: None,
            pointed: None,
        }
    }

    /// The resources of the pass, those of passes of the same name together.
    fn resources<'a>(&self, state: &ViewerState<'a>) -> Vec<&'a PassResource> {
        let mut all: Vec<&PassResource> = Vec::new();
        for resource in state.passes.iter().filter(|pass| pass.pass == self.pass).flat_map(|pass| &pass.resources) {
            if !all.iter().any(|known| known.binding == resource.binding) {
                all.push(resource);
            }
        }
        all
    }

    fn resource<'a>(&self, state: &ViewerState<'a>) -> Option<&'a PassResource> {
        let all = self.resources(state);
        let is_image = |resource: &&&PassResource| matches!(resource.shape, ResourceShape::Image { is_ours: true, .. });
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

    /// What to capture and to draw for the panel of this frame.
    pub fn pin(&self, ctx: &egui::Context, state: &ViewerState<'_>) -> Option<Pin> {
        let resource = self.resource(state)?;
        let size = state.results.get(&self.id).and_then(|result| result.image);
        let placed = self.hole.zip(size).map(|(hole, (size, format))| {
            let pixels = ctx.pixels_per_point();
            let rect = [hole.left(), hole.top(), hole.right(), hole.bottom()].map(|at| (at * pixels).round() as i32);
            let step = self.step(hole, size);
            let first = self.first(hole, size) + Vec2::splat(0.5 * step / pixels);
            let look = self.look.unwrap_or_else(|| default_look(texel_kind(format)));
            let range = match self.range {
                Range::Fixed(range) => range,
                Range::Automatic => [0.0, (-self.exposure).exp2()],
            };
            let view = PictureView {
                look,
                channel: self.channel.min(texel_kind(format).1 as u32 - 1),
                range,
                origin: glam::Vec2::new(first.x, first.y),
                step: step / pixels,
            };
            let is_automatic = self.range == Range::Automatic && look != PictureLook::Colour;
            let region = self.seen(hole, size).or(self.pointed.map(|[x, y]| [x, y, 1, 1]));
            (PinPicture { rect, view, is_automatic }, region)
        });
        let (picture, texels) = placed.unzip();
        Some(Pin { id: self.id, point: self.point(resource), picture, texels: texels.flatten() })
    }

    /// Texels in a point.
    fn step(&self, hole: Rect, size: [u32; 2]) -> f32 {
        let fit = (size[0] as f32 / hole.width()).max(size[1] as f32 / hole.height());
        (fit / self.zoom).max(1.0 / TEXEL_MOST)
    }

    /// The texel at the hole's left top.
    fn first(&self, hole: Rect, size: [u32; 2]) -> Vec2 {
        self.middle * vec2(size[0] as f32, size[1] as f32) - hole.size() / 2.0 * self.step(hole, size)
    }

    /// The texels that are large enough for text: left, top, width, height.
    fn seen(&self, hole: Rect, size: [u32; 2]) -> Option<[u32; 4]> {
        let (step, first) = (self.step(hole, size), self.first(hole, size));
        if 1.0 / step < TEXEL_TEXT {
            return None;
        }
        let last = (first + hole.size() * step).min(vec2(size[0] as f32, size[1] as f32));
        let first = first.max(Vec2::ZERO);
        let [left, top] = [first.x, first.y].map(|at| at.floor() as u32);
        let [width, height] = [last.x.ceil() as u32, last.y.ceil() as u32];
        Some([left, top, width.saturating_sub(left).max(1), height.saturating_sub(top).max(1)])
    }

    /// The panel under the pointer: no controls.
    pub fn preview(&mut self, ui: &mut Ui, size: Vec2, state: &ViewerState<'_>) {
        self.framed(ui, size, state, |pinned, ui| {
            pinned.title(ui, state, false);
            pinned.content(ui, size.y - 96.0, state);
            let hint = "Click the row to pin it.";
            ui.add(Label::new(theme::small(hint)).truncate());
        });
    }

    /// What a save writes.
    pub fn saved_point(&self, state: &ViewerState<'_>) -> Option<CapturePoint> {
        Some(CapturePoint { bytes: 0..u64::MAX, ..self.point(self.resource(state)?) })
    }

    /// The pinned panel.
    pub fn show(&mut self, ui: &mut Ui, size: Vec2, state: &ViewerState<'_>) -> Option<Clicked> {
        self.framed(ui, size, state, |pinned, ui| {
            let clicked = pinned.title(ui, state, true);
            pinned.choose_resource(ui, state);
            let is_image = pinned.format(state).is_some();
            pinned.content(ui, size.y - if is_image { 158.0 } else { 100.0 }, state);
            if is_image {
                pinned.choose_look(ui, state);
            }
            clicked
        })
    }

    fn framed<T>(
        &mut self,
        ui: &mut Ui,
        size: Vec2,
        _state: &ViewerState<'_>,
        add: impl FnOnce(&mut Self, &mut Ui) -> T,
    ) -> T {
        let below = ui.painter().add(egui::Shape::Noop);
        self.hole = None;
        let frame = egui::Frame::new().inner_margin(f32::from(theme::PADDING));
        let shown = frame.show(ui, |ui| {
            let inner = size - Vec2::splat(2.0 * f32::from(theme::PADDING));
            ui.set_width(inner.x);
            ui.set_height(inner.y);
            ui.spacing_mut().item_spacing.y = 4.0;
            add(self, ui)
        });
        shell::fill(ui, below, shown.response.rect, self.hole);
        shown.inner
    }

    /// Name and cost; buttons if it is pinned.
    fn title(&self, ui: &mut Ui, state: &ViewerState<'_>, is_pinned: bool) -> Option<Clicked> {
        let mut clicked = None;
        ui.horizontal(|ui| {
            ui.set_height(18.0);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if is_pinned {
                    ui.spacing_mut().item_spacing.x = 4.0;
                    clicked = collapsing::sign(ui, "×", 17.0, "Close").then_some(Clicked::Close);
                    let tip = "Save the numbers in the pictures folder (.npy, and .png or .exr)";
                    if ui.add(egui::Button::new(theme::small("Save"))).on_hover_text(tip).clicked() {
                        clicked = Some(Clicked::Save);
                    }
                }
                ui.label(theme::figure((state.cost)(&self.pass)).color(theme::QUIET));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(theme::heading(&self.pass)).truncate());
                });
            });
        });
        if !is_pinned {
            let text = self.resource(state).map(described).unwrap_or_default();
            ui.add(Label::new(theme::small(text)).truncate());
        }
        clicked
    }

    fn choose_resource(&mut self, ui: &mut Ui, state: &ViewerState<'_>) {
        let all = self.resources(state);
        let Some(now) = self.resource(state) else {
            ui.label(theme::small("The last frame has no such pass."));
            return;
        };
        let mut chosen = now.binding.clone();
        ui.horizontal(|ui| {
            let width = ui.available_width() - 96.0;
            egui::ComboBox::from_id_salt(("resource", self.id))
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
            let tip = "Contents after the pass; click for those before it";
            if ui.add(egui::Button::new(theme::small(text))).on_hover_text(tip).clicked() {
                self.is_before = !self.is_before;
            }
        });
        if chosen != now.binding {
            (self.binding, self.mip, self.look, self.first_row) = (Some(chosen), None, None, 0);
            (self.range, self.zoom, self.middle, self.channel) = (Range::Automatic, 1.0, Vec2::splat(0.5), 0);
        }
    }

    /// Kind and channels of the captured image.
    fn format(&self, state: &ViewerState<'_>) -> Option<(TexelKind, usize)> {
        let (_, format) = state.results.get(&self.id)?.image?;
        Some(texel_kind(format))
    }

    fn content(&mut self, ui: &mut Ui, height: f32, state: &ViewerState<'_>) {
        let result = state.results.get(&self.id);
        let problem = result.and_then(|result| result.problem.as_deref());
        match (problem, self.resource(state).map(|resource| &resource.shape)) {
            (Some(problem), _) => {
                ui.allocate_ui(vec2(ui.available_width(), height), |ui| {
                    ui.add(Label::new(theme::small(problem)).wrap())
                });
            }
            (None, Some(ResourceShape::Image { .. })) => self.picture(ui, height, result),
            (None, Some(ResourceShape::Buffer { bytes, records })) => {
                let read = result.and_then(|result| result.bytes.as_ref());
                let table = read.map(|(range, bytes)| (range.start, BufferTable::new(records, range.start, bytes)));
                self.table(ui, height, *bytes, table);
            }
            (None, None) => {
                ui.allocate_ui(vec2(ui.available_width(), height), |_| ());
            }
        }
    }

    fn picture(&mut self, ui: &mut Ui, height: f32, result: Option<&PinResult>) {
        let (hole, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
        self.hole = Some(hole);
        let Some((size, _)) = result.and_then(|result| result.image) else { return };
        let whole = vec2(size[0] as f32, size[1] as f32);
        let step = self.step(hole, size);
        if response.double_clicked() {
            (self.zoom, self.middle) = (1.0, Vec2::splat(0.5));
        }
        self.middle -= response.drag_delta() * step / whole;
        self.pointed = None;
        if let Some(at) = response.hover_pos() {
            let texel = self.first(hole, size) + (at - hole.min) * step;
            let wheel = ui.input(|input| input.smooth_scroll_delta.y + 200.0 * input.zoom_delta().ln());
            if wheel != 0.0 {
                let fit = (whole.x / hole.width()).max(whole.y / hole.height());
                self.zoom = (self.zoom * (wheel * 0.006).exp()).clamp(0.25, (fit * TEXEL_MOST).max(1.0));
                // The texel under the pointer stays there.
                self.middle += (texel - (self.first(hole, size) + (at - hole.min) * self.step(hole, size))) / whole;
                ui.input_mut(|input| input.smooth_scroll_delta = Vec2::ZERO);
            }
            let is_inside = texel.x >= 0.0 && texel.y >= 0.0 && texel.x < whole.x && texel.y < whole.y;
            self.pointed = is_inside.then_some([texel.x as u32, texel.y as u32]);
        }
        self.middle = self.middle.clamp(Vec2::ZERO, Vec2::splat(1.0));
        self.texel_numbers(ui, hole, size, result);
        let text = self.readout(size, result);
        ui.add(Label::new(theme::figure(text).color(theme::QUIET)).truncate());
    }

    /// Numbers written into magnified texels.
    fn texel_numbers(&self, ui: &Ui, hole: Rect, size: [u32; 2], result: Option<&PinResult>) {
        let Some([left, top, width, height]) = self.seen(hole, size) else { return };
        let Some(texels) = result.and_then(|result| result.texels.as_ref()) else { return };
        let (step, first) = (self.step(hole, size), self.first(hole, size));
        let painter = ui.painter().with_clip_rect(hole);
        for (x, y) in (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y))) {
            let Some(numbers) = texels.numbers(x, y) else { continue };
            let middle = hole.min + (vec2(x as f32 + 0.5, y as f32 + 0.5) - first) / step;
            let text = numbers.iter().map(|number| short(number)).collect::<Vec<_>>().join("\n");
            let font = FontId::monospace(9.0);
            let galley = painter.layout_no_wrap(text, font, theme::STRONG);
            let at = Align2::CENTER_CENTER.anchor_size(middle, galley.size());
            painter.rect_filled(at.expand(2.0), 2.0, Color32::from_black_alpha(150));
            painter.galley(at.min, galley, theme::STRONG);
        }
    }

    /// The texel under the pointer, else the figures.
    fn readout(&self, size: [u32; 2], result: Option<&PinResult>) -> String {
        if let Some([x, y]) = self.pointed {
            let numbers = result.and_then(|result| result.texels.as_ref()).and_then(|texels| texels.numbers(x, y));
            return format!("{x}, {y}: {}", numbers.unwrap_or_default().join("  "));
        }
        let [width, height] = size;
        let Some(figures) = result.and_then(|result| result.figures.as_ref()) else {
            return format!("{width}x{height}");
        };
        let mut parts = vec![format!("{width}x{height}")];
        if let Some([least, most]) = figures.range {
            parts.push(format!("{} to {}", short(&least.to_string()), short(&most.to_string())));
        }
        parts.extend((figures.nans > 0).then(|| format!("{} NaN", figures.nans)));
        parts.extend((figures.infinities > 0).then(|| format!("{} infinite", figures.infinities)));
        parts.join(" · ")
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

    fn choose_look(&mut self, ui: &mut Ui, state: &ViewerState<'_>) {
        let Some((kind, channels)) = self.format(state) else { return };
        let now = self.look.unwrap_or_else(|| default_look((kind, channels)));
        let result = state.results.get(&self.id);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let looks = [
                (PictureLook::Colour, "Colour", "Red, green and blue"),
                (PictureLook::Grey, "Grey", "One channel from black to white"),
                (PictureLook::Ramp, "Scale", "One channel by a colour scale"),
                (PictureLook::Hash, "Hash", "A colour of its own for each value"),
            ];
            for (look, name, tip) in looks {
                if look == PictureLook::Colour && channels < 3 {
                    continue;
                }
                if ui.selectable_label(now == look, theme::small(name)).on_hover_text(tip).clicked() {
                    self.look = Some(look);
                }
            }
            if now != PictureLook::Colour && channels > 1 {
                ui.add_space(6.0);
                for (channel, name) in (0..).zip(["R", "G", "B", "A"]).take(channels) {
                    if ui.selectable_label(self.channel == channel, theme::small(name)).clicked() {
                        self.channel = channel;
                    }
                }
            }
        });
        ui.horizontal(|ui| {
            if now == PictureLook::Hash {
                ui.label(theme::small("Equal values have equal colours."));
                return;
            }
            if now == PictureLook::Colour && self.range == Range::Automatic {
                let exposure = egui::DragValue::new(&mut self.exposure).range(-16.0..=16.0).speed(0.05).suffix(" EV");
                ui.add(exposure).on_hover_text("Exposure in stops");
                return;
            }
            let figures = result.and_then(|result| result.figures.as_ref());
            let automatic = figures.and_then(|figures| Some([figures.percentile(0.01)?, figures.percentile(0.99)?]));
            let automatic = automatic.map_or([0.0, 1.0], |range| range.map(|number| number as f32));
            let mut is_automatic = self.range == Range::Automatic;
            let tip = "Black and white at the 1st and the 99th percentile";
            if ui.checkbox(&mut is_automatic, theme::small("Range")).on_hover_text(tip).changed() {
                self.range = if is_automatic { Range::Automatic } else { Range::Fixed(automatic) };
            }
            let mut range = if let Range::Fixed(range) = self.range { range } else { automatic };
            let before = range;
            for end in &mut range {
                let speed = f64::from((before[1] - before[0]).abs().max(1e-6)) * 0.01;
                ui.add(egui::DragValue::new(end).speed(speed).max_decimals(4));
            }
            if range != before {
                self.range = Range::Fixed(range);
            }
            if let Some(figures) = figures {
                histogram(ui, &figures.buckets);
            }
        });
    }
}

fn default_look((kind, channels): (TexelKind, usize)) -> PictureLook {
    match kind {
        TexelKind::Unsigned => PictureLook::Hash,
        _ if channels >= 3 => PictureLook::Colour,
        _ => PictureLook::Ramp,
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
            format!("{}: {}, {access}", resource.binding, crate::base::text::bytes(*bytes))
        }
    }
}

/// At most seven characters of a number.
fn short(number: &str) -> String {
    if number.len() <= 7 {
        return number.to_owned();
    }
    match number.parse::<f64>() {
        Ok(value) if number.contains(['.', 'e']) && (1e-3..1e5).contains(&value.abs()) => {
            format!("{value:.4}").chars().take(7).collect()
        }
        Ok(value) if number.contains(['.', 'e']) => format!("{value:.1e}"),
        _ => number.to_owned(),
    }
}

/// Bars of the buckets that have numbers, to the right end of the row.
fn histogram(ui: &mut Ui, buckets: &[u32]) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    let first = buckets.iter().position(|count| *count > 0);
    let last = buckets.iter().rposition(|count| *count > 0);
    let Some((first, last)) = first.zip(last) else { return };
    let most = buckets.iter().copied().max().unwrap_or(1).max(1);
    let bars = rect.width().floor().max(1.0) as usize;
    for bar in 0..bars {
        let from = first + bar * (last + 1 - first) / bars;
        let to = (first + (bar + 1) * (last + 1 - first) / bars).max(from + 1);
        let highest = buckets[from..to.min(buckets.len())].iter().copied().max().unwrap_or(0);
        // Logarithmic: a rare value is still seen.
        let part = (1.0 + highest as f32).ln() / (1.0 + most as f32).ln();
        let x = rect.left() + bar as f32;
        let bar = Rect::from_min_max(pos2(x, rect.bottom() - part * rect.height()), pos2(x + 1.0, rect.bottom()));
        ui.painter().rect_filled(bar, 0.0, theme::ACCENT.gamma_multiply(0.7));
    }
}
