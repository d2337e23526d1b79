//! Motifs of use: glass as an interface has it. What stays is in the settings of the scene, what moves in [`Use`]; pieces of glass, the marks
//! on them and the shift of the picture below are one function of both, once a frame.

mod controls;
mod dock;
mod keyboard;
mod list;
mod mark;
mod scroll;

pub use mark::{Figure, Ink, Mark};

use crate::picture::Motif;
use crate::spring::{Feel, Ground, LONGEST_S, Motion, STEP_S, Spring};
use crate::{Lens, LensGlass, LensOutline, Press, SceneSettings, Shape};
use glam::Vec2;
use scroll::Scroll;

/// Of all motifs together: each has numbers of its pieces to itself.
pub const MOST_PIECES: u32 = 256;

/// Where a motif is laid out. `free_px`: its part beside the panels, from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    pub size_px: Vec2,
    pub free_px: Vec2,
    /// Pixels per point.
    pub scale: f32,
}

/// Points kept free at the bottom, for the strip of scenes: in a narrow window it has two rows.
const BOTTOM: [f32; 2] = [76.0, 108.0];
const NARROW: f32 = 760.0;
const MARGIN: f32 = 24.0;

impl Stage {
    fn size(&self) -> Vec2 {
        self.size_px / self.scale
    }

    fn free(&self) -> Vec2 {
        (self.free_px / self.scale).max(Vec2::splat(1.0))
    }

    fn bottom(&self) -> f32 {
        BOTTOM[usize::from(self.free().x < NARROW)]
    }

    /// Middle of what is free, and its extent within the margins.
    fn room(&self) -> (Vec2, Vec2) {
        let free = self.free();
        let extent = (free - Vec2::new(2.0 * MARGIN, MARGIN + self.bottom())).max(Vec2::splat(40.0));
        (Vec2::new(0.5 * free.x, MARGIN + 0.5 * extent.y), extent)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Next,
    Previous,
    /// Space or Enter.
    Act,
    Letter(char),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UseEvent {
    /// Pixels.
    Moved(Vec2),
    Left,
    Pressed,
    Released,
    /// Another finger or none: what is held is let go without effect.
    Lost,
    /// Notches, up positive.
    Wheel(f32),
    Key {
        key: Key,
        is_down: bool,
    },
}

/// A piece of a motif at rest, in points of the window.
#[derive(Clone, Debug)]
struct Piece {
    low: Vec2,
    high: Vec2,
    radius: f32,
    /// Pieces of one container melt.
    container: Option<u32>,
    is_glass: bool,
    /// From the corner `low`.
    marks: Vec<(Ink, f32, Figure)>,
}

impl Piece {
    fn new(low: Vec2, size: Vec2, radius: f32) -> Self {
        Self { low, high: low + size, radius, container: None, is_glass: true, marks: Vec::new() }
    }

    fn size(&self) -> Vec2 {
        self.high - self.low
    }

    fn contains(&self, at: Vec2) -> bool {
        let half = 0.5 * self.size();
        let radius = self.radius.min(half.min_element());
        let beyond = (at - self.low - half).abs() - half + radius;
        self.is_glass && beyond.max(Vec2::ZERO).length() + beyond.max_element().min(0.0) <= radius
    }

    fn mark(&mut self, ink: Ink, alpha: f32, figure: Figure) {
        self.marks.push((ink, alpha, figure));
    }

    fn text(&mut self, text: impl Into<std::borrow::Cow<'static, str>>, size: f32, at: Vec2, align: f32) {
        self.mark(Ink::Voted, 1.0, Figure::text(text, size, at, align));
    }

    fn icon(&mut self, icon: usize, middle: Vec2, half: f32) {
        self.mark(Ink::Voted, 1.0, Figure::Icon { icon, middle, half });
    }
}

/// A piece of a motif, for assistive technology.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub piece: usize,
    pub name: String,
    /// Pixels of the window.
    pub low: Vec2,
    pub high: Vec2,
    pub kind: PartKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartKind {
    Text,
    Button,
    Switch(bool),
    /// 0 to 1.
    Slider(f32),
}

/// A value on its way to a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sway {
    at: f32,
    speed: f32,
    owed_s: f32,
}

/// Invisible below it, as a fraction.
const FINE: f32 = 1e-3;

impl Sway {
    fn advance(&mut self, seconds: f32, goal: f32, spring: &Spring, feel: &Feel) -> bool {
        if !feel.appears {
            *self = Self { at: goal, ..Self::default() };
        }
        if self.at == goal && self.speed == 0.0 {
            return false;
        }
        self.owed_s += seconds.clamp(0.0, LONGEST_S);
        while self.owed_s >= STEP_S {
            self.owed_s -= STEP_S;
            (self.at, self.speed) = spring.advance(self.at, self.speed, goal);
        }
        if (self.at - goal).abs() < FINE && self.speed.abs() < 20.0 * FINE {
            *self = Self { at: goal, ..Self::default() };
        }
        true
    }
}

#[derive(Clone, Debug, Default)]
struct Pose {
    press: Motion,
    value: Sway,
}

#[derive(Clone, Copy, Debug)]
struct Held {
    piece: Option<usize>,
    /// Points.
    at: Vec2,
    /// Offset of the list, or the value of a slider, when it was pressed.
    before: f32,
    /// It is a drag, not a click.
    drags: bool,
}

/// Points that a pressed pointer may move and still click.
const CLICK: f32 = 5.0;

/// What moves while a motif is used; none of it outlives the window.
#[derive(Clone, Debug, Default)]
pub struct Use {
    motif: Option<Motif>,
    /// Points.
    hand: Option<Vec2>,
    held: Option<Held>,
    poses: Vec<Pose>,
    scroll: Scroll,
    hover: Sway,
    hover_x: f32,
    focus: Option<usize>,
    /// Bits of the tiles of a dock.
    open: u32,
    typed: String,
    /// Pixels.
    pressed_at: Vec2,
}

/// A frame of a motif: all that is drawn of it comes from this one state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UseFrame {
    outlines: Vec<Lens>,
    pub marks: Vec<Mark>,
    /// Pixels by which the picture has moved up; negative beyond the beginning.
    pub shift_px: i32,
}

impl UseFrame {
    /// The pieces of glass, bottom one first.
    pub fn lenses(&self, glass: LensGlass) -> Vec<Lens> {
        self.outlines.iter().map(|lens| Lens { glass, ..*lens }).collect()
    }
}

impl UseFrame {
    /// The glass and the picture alone.
    pub fn unmarked(&self) -> Self {
        Self { marks: Vec::new(), ..self.clone() }
    }

    /// For a picture of another size.
    pub fn scaled(&self, by: f32) -> Self {
        let lens = |lens: &Lens| Lens { center: lens.center * by, ..*lens };
        let mark = |mark: &Mark| Mark {
            pivot: mark.pivot * by,
            figure: mark.figure.clone().placed(Vec2::ZERO, by),
            ..mark.clone()
        };
        Self {
            outlines: self.outlines.iter().map(lens).collect(),
            marks: self.marks.iter().map(mark).collect(),
            shift_px: (self.shift_px as f32 * by).round() as i32,
        }
    }
}

impl Motif {
    pub fn is_used(self) -> bool {
        matches!(self, Self::List | Self::Dock | Self::Keyboard | Self::Controls)
    }

    /// Number of its first piece, so that no two motifs share one.
    fn first_number(self) -> u32 {
        match self {
            Self::Dock => 80,
            Self::Keyboard => 112,
            Self::Controls => 176,
            _ => 0,
        }
    }

    /// One line about how it is used.
    pub fn hint(self) -> Option<&'static str> {
        match self {
            Self::List => Some("Scroll: wheel, drag, arrows, Page, Home, End."),
            Self::Dock => Some("Move the pointer along the dock, or Left and Right; a click or Space opens."),
            Self::Keyboard => Some("Click the keys, or type: what you write is above them."),
            Self::Controls => Some("Click and drag; or Tab, arrows and Space."),
            _ => None,
        }
    }
}

fn pieces(used: &Use, scene: &SceneSettings, stage: &Stage) -> Vec<Piece> {
    match scene.motif {
        Motif::List => list::pieces(stage),
        Motif::Dock => dock::pieces(used, stage),
        Motif::Keyboard => keyboard::pieces(used, stage),
        Motif::Controls => controls::pieces(used, stage),
        _ => Vec::new(),
    }
}

impl Use {
    fn pose(&self, piece: usize) -> Option<&Pose> {
        self.poses.get(piece)
    }

    fn value(&self, piece: usize) -> f32 {
        self.pose(piece).map_or(0.0, |pose| pose.value.at)
    }

    fn pose_mut(&mut self, piece: usize) -> &mut Pose {
        if self.poses.len() <= piece {
            self.poses.resize_with(piece + 1, Pose::default);
        }
        &mut self.poses[piece]
    }

    fn fit(&mut self, scene: &SceneSettings) {
        if self.motif != Some(scene.motif) {
            *self = Self { motif: Some(scene.motif), hand: self.hand, ..Self::default() };
            match scene.motif {
                Motif::Controls => controls::settle(self, scene),
                Motif::Dock => self.hover_x = self.hand.map_or(0.0, |hand| hand.x),
                _ => {}
            }
        }
    }

    fn hit(&self, pieces: &[Piece], scene: &SceneSettings) -> Option<usize> {
        let scrolled = if scene.motif == Motif::List { scene.scroll } else { 0.0 };
        let at = self.hand? + Vec2::new(0.0, scrolled);
        pieces.iter().rposition(|piece| piece.contains(at))
    }

    /// The pointer is on something that it can press or drag.
    pub fn is_over(&self, scene: &SceneSettings, stage: &Stage) -> bool {
        self.held.is_some() || self.hit(&pieces(self, scene, stage), scene).is_some()
    }

    /// Where it is pressed, and how much, also while that fades.
    pub fn press(&self) -> Option<Press> {
        let strength = self.poses.iter().map(|pose| pose.press.press()).fold(0.0, f32::max);
        (strength > 0.0).then_some(Press { at: self.pressed_at, strength })
    }

    fn grab(&mut self, piece: usize, at_px: Vec2) {
        self.pressed_at = at_px;
        self.pose_mut(piece).press.grab(Vec2::ZERO);
    }

    fn let_go(&mut self) -> Option<Held> {
        let held = self.held.take()?;
        if let Some(piece) = held.piece {
            self.pose_mut(piece).press.stop();
        }
        Some(held)
    }

    /// Returns whether the event was for the motif. Values are written into the settings.
    pub fn handle(&mut self, event: UseEvent, scene: &mut SceneSettings, stage: &Stage, feel: &Feel) -> bool {
        self.fit(scene);
        match event {
            UseEvent::Moved(at) if at.is_finite() => {
                let at_points = at / stage.scale;
                self.hand = Some(at_points);
                let Some(held) = &mut self.held else { return false };
                held.drags |= held.at.distance(at_points) > CLICK;
                self.pressed_at = at;
                match scene.motif {
                    Motif::List => list::drag(self, scene, stage, feel),
                    Motif::Controls => controls::drag(self, scene, stage),
                    _ => {}
                }
                true
            }
            UseEvent::Moved(_) => false,
            UseEvent::Left => {
                self.hand = self.hand.filter(|_| self.held.is_some());
                false
            }
            UseEvent::Pressed => {
                self.let_go();
                let Some(at) = self.hand else { return false };
                let all = pieces(self, scene, stage);
                let piece = self.hit(&all, scene);
                let takes_all = scene.motif == Motif::List;
                if piece.is_none() && !takes_all {
                    return false;
                }
                let before = match scene.motif {
                    Motif::List => self.scroll.grab(scene.scroll, list::longest(stage), feel),
                    Motif::Controls => piece.and_then(|piece| controls::level(piece, scene)).unwrap_or_default(),
                    _ => 0.0,
                };
                self.focus = None;
                self.held = Some(Held { piece, at, before, drags: false });
                piece.into_iter().for_each(|piece| self.grab(piece, at * stage.scale));
                true
            }
            UseEvent::Released | UseEvent::Lost => {
                let Some(held) = self.let_go() else { return false };
                match (scene.motif, held.piece) {
                    (Motif::List, _) => self.scroll.release(scene.scroll, list::longest(stage), feel),
                    (_, Some(piece)) if event == UseEvent::Released && !held.drags => self.act(piece, scene),
                    _ => {}
                }
                true
            }
            UseEvent::Wheel(notches) => scene.motif == Motif::List && list::wheel(self, notches, scene, stage),
            UseEvent::Key { key, is_down } => match scene.motif {
                Motif::List => is_down && list::key(self, key, scene, stage),
                Motif::Dock => dock::key(self, key, is_down, stage),
                Motif::Keyboard => keyboard::key(self, key, is_down),
                Motif::Controls => controls::key(self, key, is_down, scene),
                _ => false,
            },
        }
    }

    pub fn parts(&self, scene: &SceneSettings, stage: &Stage) -> Vec<Part> {
        let up = Vec2::new(0.0, if scene.motif == Motif::List { scene.scroll } else { 0.0 });
        let part = |(piece, at): (usize, Piece)| {
            let known = match scene.motif {
                Motif::Dock => dock::part(self, piece),
                Motif::Keyboard => keyboard::part(piece),
                Motif::Controls => controls::part(piece, scene),
                _ => None,
            };
            let (name, kind) = known.unwrap_or(("", PartKind::Text));
            let text = |(_, _, figure): &(Ink, f32, Figure)| match figure {
                Figure::Text { text, .. } => Some(text.to_string()),
                _ => None,
            };
            let name = match name {
                "" => at.marks.iter().filter_map(text).collect::<Vec<_>>().join(", "),
                _ => name.to_owned(),
            };
            Part { piece, name, low: (at.low - up) * stage.scale, high: (at.high - up) * stage.scale, kind }
        };
        pieces(self, scene, stage).into_iter().enumerate().map(part).collect()
    }

    /// As a click does, or to a value of a slider.
    pub fn operate(&mut self, piece: usize, to: Option<f32>, scene: &mut SceneSettings) {
        self.fit(scene);
        match to {
            Some(to) => controls::set_level(piece, to, scene),
            None => self.act(piece, scene),
        }
    }

    /// A click or its key.
    fn act(&mut self, piece: usize, scene: &mut SceneSettings) {
        match scene.motif {
            Motif::Dock => dock::act(self, piece),
            Motif::Keyboard => keyboard::write(self, piece),
            Motif::Controls => controls::act(piece, scene),
            _ => {}
        }
    }

    /// Returns whether it still moves.
    pub fn advance(&mut self, seconds: f32, scene: &mut SceneSettings, stage: &Stage, feel: &Feel) -> bool {
        self.fit(scene);
        let ground = Ground { area_px: stage.size(), scale: 1.0 };
        let mut moves = false;
        for pose in &mut self.poses {
            pose.press.advance(seconds, Vec2::ZERO, feel, &ground);
            moves |= pose.press.is_moving(feel, &ground);
        }
        moves |= match scene.motif {
            Motif::List => {
                let (scroll, goes_on) = self.scroll.advance(seconds, scene.scroll, list::longest(stage), feel);
                scene.scroll = scroll;
                goes_on
            }
            Motif::Dock => dock::advance(self, seconds, stage, feel),
            Motif::Controls => controls::advance(self, seconds, scene, feel),
            _ => false,
        };
        moves
    }

    /// What is drawn: pieces, marks and the picture's shift of one and the same state.
    pub fn frame(&self, scene: &SceneSettings, stage: &Stage, feel: &Feel) -> UseFrame {
        let fresh;
        let used = match self.motif == Some(scene.motif) {
            true => self,
            false => {
                let mut other = Self::default();
                other.fit(scene);
                fresh = other;
                &fresh
            }
        };
        used.drawn(scene, stage, feel)
    }

    fn drawn(&self, scene: &SceneSettings, stage: &Stage, feel: &Feel) -> UseFrame {
        let scale = stage.scale;
        let shift_px = if scene.motif == Motif::List { (scene.scroll * scale).round() as i32 } else { 0 };
        let first = scene.motif.first_number();
        let mut frame = UseFrame { shift_px, ..UseFrame::default() };
        // Shadows and what melts reach this far.
        let beyond = Vec2::splat(90.0 * scale);
        for (index, piece) in pieces(self, scene, stage).into_iter().enumerate() {
            let number = first + index as u32;
            // Whole pixels, so that all pieces and the picture move by the same number of them.
            let low = (piece.low * scale).round() - Vec2::new(0.0, shift_px as f32);
            let half = (0.5 * piece.size() * scale * 2.0).round() / 2.0;
            let center = low + half;
            if (center + half).cmplt(-beyond).any() || (center - half).cmpgt(stage.size_px + beyond).any() {
                continue;
            }
            let is_round = piece.radius >= 0.5 * piece.size().min_element() - 0.5;
            let outline = LensOutline {
                shape: Shape::Rounded,
                radius: piece.radius,
                exponent: if is_round { 2.0 } else { EXPONENT },
                ..LensOutline::default()
            };
            let container = piece.container.map_or(1000 + number, |container| container);
            let lens = Lens {
                center,
                outline: outline.sized(half / scale),
                id: Some(number),
                container: Some(container),
                ..Lens::default()
            };
            let drawn = match self.pose(index) {
                Some(pose) => pose.press.drawn(&lens, feel),
                None => lens,
            };
            let grow = drawn.outline.half_width / lens.outline.half_width.max(1e-3);
            if piece.is_glass {
                frame.outlines.push(drawn);
                let figure =
                    Figure::filled(Vec2::splat(RIM), piece.size() - RIM, piece.radius - RIM).placed(low, scale);
                frame.marks.push(Mark { piece: number, ink: Ink::Veil, alpha: 1.0, figure, pivot: center, grow });
            }
            frame.marks.extend(piece.marks.into_iter().map(|(ink, alpha, figure)| Mark {
                piece: number,
                ink,
                alpha,
                figure: figure.placed(low, scale),
                pivot: center,
                grow,
            }));
        }
        frame
    }
}

/// Points of a piece's border that a veil leaves free.
const RIM: f32 = 3.0;
/// Of corners that are no half circles: a little squarer than a quarter of one.
const EXPONENT: f32 = 2.3;

#[cfg(test)]
mod tests;
