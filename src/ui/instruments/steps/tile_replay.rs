//! Tile of a frame whose steps are shown.

use glam::Vec2;
use instrument::{FrameResults, StepsRequest};
use scene::Lens;
use technique::Stage;
use techniques::info;

#[derive(Default)]
pub struct TileReplay {
    asked: Option<StepsRequest>,
    /// Of the last request.
    number: u64,
    has_replay: bool,
    is_outdated: bool,
    /// Number of the last refused request.
    refused: u64,
    refusal: Option<String>,
}

/// The glass on the bevel of a lens, else left of the player, in an area of `free` pixels.
pub fn place(technique: &str, lenses: &[Lens], scale: f32, free: Vec2) -> [u32; 2] {
    let is_glass = info(technique).is_some_and(|info| info.stage == Stage::Glass);
    let on_bevel =
        |lens: &Lens| lens.center + Vec2::from_angle(lens.angle()).rotate(Vec2::new(-0.9 * lens.half(scale).x, 0.0));
    let place = lenses.first().filter(|_| is_glass).map_or(free * Vec2::new(0.22, 0.5), on_bevel);
    place.max(Vec2::ZERO).as_uvec2().to_array()
}

impl TileReplay {
    pub fn ask(&mut self, technique: &'static str, pixel: [u32; 2]) {
        (self.number, self.is_outdated) = (self.number + 1, false);
        self.asked = Some(StepsRequest { technique, pixel, number: self.number });
    }

    pub fn note_change(&mut self, technique: &str) {
        self.is_outdated |= self.has_replay && self.asked.is_some_and(|asked| asked.technique == technique);
    }

    /// A replay takes longer than a frame.
    pub fn renew(&mut self, is_dragging: bool) {
        let asked = self.asked.filter(|_| self.is_outdated && !is_dragging);
        asked.into_iter().for_each(|asked| self.ask(asked.technique, asked.pixel));
    }

    pub fn end(&mut self) {
        *self = Self { number: self.number, refused: self.refused, ..Self::default() };
    }

    pub fn request(&self) -> Option<StepsRequest> {
        self.asked
    }

    pub fn take_refusal(&mut self) -> Option<String> {
        self.refusal.take()
    }

    /// Whether there is a refusal to take.
    pub fn receive(&mut self, results: &FrameResults<'_>) -> bool {
        self.has_replay = results.steps.is_some();
        if let Some((number, why)) = results.refusal.filter(|(number, _)| *number > self.refused) {
            (self.refused, self.refusal) = (number, Some(why.to_owned()));
        }
        self.refusal.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tile_is_replayed_again_when_a_drag_has_ended() {
        let replay = technique::Replay::default();
        let results = FrameResults { steps: Some(&replay), ..FrameResults::of_passes(&[]) };
        let mut of = TileReplay::default();
        of.ask("mip_chain", [3, 4]);
        let first = of.request();
        of.note_change("mip_chain");
        of.renew(false);
        assert_eq!(of.request(), first, "there is no replay yet");
        assert!(!of.receive(&results));
        for _ in 0..3 {
            of.note_change("mip_chain");
            of.renew(true);
            assert_eq!(of.request(), first);
        }
        of.note_change("glass");
        of.renew(false);
        let second = of.request();
        assert_eq!(second, first.map(|first| StepsRequest { number: first.number + 1, ..first }));
        of.renew(false);
        assert_eq!(of.request(), second, "once");
        of.note_change("glass");
        of.renew(false);
        assert_eq!(of.request(), second, "of another technique");
        let refusal = FrameResults { refusal: second.map(|asked| (asked.number, "why")), ..results };
        assert!(of.receive(&refusal));
        assert_eq!(of.take_refusal().as_deref(), Some("why"));
        assert!(!of.receive(&refusal), "once");
        of.end();
        assert_eq!(of.request(), None);
    }

    #[test]
    fn the_glass_is_replayed_on_its_bevel() {
        let lens = Lens { center: Vec2::new(300.0, 200.0), ..Lens::default() }.sized(Vec2::new(50.0, 25.0));
        let free = Vec2::new(1000.0, 600.0);
        assert_eq!(place("glass", &[lens], 2.0, free), [210, 200]);
        let turned = Lens { center: Vec2::new(300.5, 20.0), ..lens }.turned(90.0);
        assert_eq!(place("glass", &[turned], 2.0, free), [300, 0], "within the window");
        assert_eq!(place("downsample", &[lens], 2.0, free), [220, 300]);
        assert_eq!(place("glass", &[], 2.0, free), [220, 300]);
    }
}
