//! Loupe: magnified texels around the pointer, with the value of the one below it.

use super::inspected_pixel::InspectedPixel;
use crate::instruments::PointedTexel;
use crate::keys::{Group, Held, Line, Shortcut, key, keys};
use crate::{PanelKey, UiState, theme};
use egui::{
    Area, Color32, Context, Id, Key, Label, Mesh, Order, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};
use instrument::{PictureLook, PictureView, TexelFormat, TexelKind, Texels, texel_kind};

pub const ID: &str = "inspector";

pub const KEYS: Line = keys(
    Group::Inspect,
    &[key(Held::Nothing, Key::I, Shortcut::Panel(PanelKey::Instrument(ID)), "Inspect pixels")],
    ": a loupe; a click tells why a pixel looks so",
);

/// Texels on each side of the one under the pointer.
pub const REACH: u32 = 5;
const CELL: f32 = 16.0;
const SIDE: f32 = (2 * REACH + 1) as f32 * CELL;
const TEXT: f32 = 148.0;

/// Outside of the image.
const NOTHING: Color32 = Color32::from_gray(24);

pub struct Loupe {
    at: [u32; 2],
    /// Rows from the top; `None` outside of the image, and what has not been read yet.
    colors: Vec<Option<[u8; 3]>>,
    lines: Vec<String>,
    hint: String,
}

fn colors(at: [u32; 2], texels: Option<&Texels>, view: &PictureView) -> Vec<Option<[u8; 3]>> {
    let reach = i64::from(REACH);
    let around = (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| [x, y]));
    let color = |[x, y]: [i64; 2]| {
        let place = |at: u32, by: i64| u32::try_from(i64::from(at) + by).ok();
        texels?.color(place(at[0], x)?, place(at[1], y)?, view)
    };
    around.map(color).collect()
}

pub fn of_final_image(at: [u32; 2], state: &UiState<'_>, told: &InspectedPixel) -> Loupe {
    let seen = state.results.seen;
    let view = PictureView { look: PictureLook::Colour, range: [0.0, 1.0], step: 1.0, ..PictureView::default() };
    let texels = seen.map(|seen| &seen.texels);
    let mut lines = Vec::new();
    if let Some(numbers) = texels.and_then(|texels| texels.numbers(at[0], at[1])) {
        lines.push(numbers.join("  "));
        lines.extend(encoded_meaning(&numbers).into_iter().flatten());
        let story = told.story().filter(|story| story.pixel == at && story.numbers != numbers);
        lines.extend(story.map(|story| format!("in the story's frame {}", story.numbers.join("  "))));
    }
    lines.extend(seen.filter(|seen| !seen.writer.is_empty()).map(|seen| format!("by {}", seen.writer)));
    let inspect = KEYS.name();
    let hint = match state.is_readable {
        true => format!("Click: why it looks so. {inspect} ends, and the lens can be dragged again."),
        false => "This display does not allow reading the window.".into(),
    };
    Loupe { at, colors: colors(at, texels, &view), lines, hint }
}

pub fn of_resource(pointed: &PointedTexel<'_>) -> Loupe {
    let PointedTexel { at, texels, view, meaning, writer } = pointed;
    let mut lines = Vec::new();
    if let Some(numbers) = texels.and_then(|texels| texels.numbers(at[0], at[1])) {
        let format = texels.map(|texels| texels.format);
        lines.push(numbers.join("  "));
        let stored = texels.and_then(|texels| texels.stored(at[0], at[1]));
        let meaning = match meaning {
            Some(meaning) => vec![meaning.clone()],
            None if format.is_some_and(is_encoded_color) => {
                encoded_meaning(&numbers).map(Vec::from).unwrap_or_default()
            }
            None => stored.filter(|stored| *stored != numbers).map(|stored| stored.join(" ")).into_iter().collect(),
        };
        lines.extend(meaning);
    }
    lines.extend(writer.map(|writer| format!("by {writer}")));
    Loupe { at: *at, colors: colors(*at, *texels, view), lines, hint: String::new() }
}

impl Loupe {
    /// Beside the pointer, within `free` if it has room there. It takes no input.
    pub fn show(&self, ctx: &Context, pointer: Pos2, free: Rect) {
        let inner = vec2(SIDE + theme::GAP + TEXT, SIDE);
        let corner = beside(pointer, inner + theme::chip().total_margin().sum(), ctx.content_rect(), free);
        let area = Area::new(Id::new("loupe")).order(Order::Tooltip).interactable(false).fade_in(false);
        area.fixed_pos(corner).constrain(false).show(ctx, |ui| {
            // Opaque: it may be over other panels.
            let frame = theme::chip().fill(theme::PANEL.to_opaque()).show(ui, |ui| {
                ui.set_min_size(inner);
                ui.set_max_size(inner);
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = theme::GAP;
                    self.cells(ui);
                    ui.vertical(|ui| self.texts(ui));
                });
            });
            crate::panel_rects::note_opaque(ui.ctx(), frame.response.rect);
        });
    }

    fn texts(&self, ui: &mut Ui) {
        ui.set_width(TEXT);
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.label(theme::heading(format!("{}, {}", self.at[0], self.at[1])));
        for line in &self.lines {
            ui.add(Label::new(theme::figure(line)).wrap());
        }
        if !self.hint.is_empty() {
            ui.add_space(4.0);
            theme::note(ui, &self.hint);
        }
    }

    fn cells(&self, ui: &mut Ui) {
        let side = 2 * REACH as usize + 1;
        let (rect, _) = ui.allocate_exact_size(egui::Vec2::splat(side as f32 * CELL), Sense::hover());
        let cell = |index: usize| {
            let at = vec2((index % side) as f32, (index / side) as f32) * CELL;
            Rect::from_min_size(rect.min + at, egui::Vec2::splat(CELL))
        };
        // A mesh: light panels keep its colours.
        let mut cells = Mesh::default();
        for (index, color) in self.colors.iter().enumerate() {
            let fill = color.map_or(NOTHING, theme::rgb);
            cells.add_colored_rect(cell(index), fill);
        }
        ui.painter().add(cells);
        let middle = cell(side * side / 2);
        for (width, color) in [(3.0, Color32::from_black_alpha(180)), (1.4, theme::STRONG)] {
            ui.painter().rect_stroke(middle, 0.0, Stroke::new(width, color), StrokeKind::Outside);
        }
        ui.painter().rect_stroke(rect, 0.0, Stroke::new(1.0, Color32::from_white_alpha(28)), StrokeKind::Outside);
    }
}

fn encoded_meaning(numbers: &[String]) -> Option<[String; 2]> {
    let bytes: Vec<u8> = numbers.iter().take(3).map(|number| number.parse::<u8>().ok()).collect::<Option<_>>()?;
    let [red, green, blue] = bytes[..] else { return None };
    let linear = [red, green, blue].map(|byte| base::srgb::decode(f32::from(byte) / 255.0));
    let linear = format!("linear {:.3} {:.3} {:.3}", linear[0], linear[1], linear[2]);
    Some([format!("#{red:02x}{green:02x}{blue:02x}"), linear])
}

fn is_encoded_color(format: TexelFormat) -> bool {
    texel_kind(format) == (TexelKind::Encoded, 4)
}

/// Corner of a panel right or left of the pointer: within `free` if it fits, else within the window.
fn beside(at: Pos2, size: egui::Vec2, window: Rect, free: Rect) -> Pos2 {
    const AWAY: f32 = 26.0;
    let sides = [at.x + AWAY, at.x - AWAY - size.x];
    let within = |space: Rect| sides.into_iter().find(|x| *x >= space.left() && x + size.x <= space.right());
    let x = within(free).or(within(window)).unwrap_or(window.left());
    let most = (window.bottom() - theme::GAP - size.y).max(window.top());
    pos2(x, (at.y + AWAY).min(most))
}
