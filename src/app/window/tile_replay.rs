//! Replay that the panels show, of a tile of a frame.

use crate::renderer::Renderer;
use crate::scene::Lens;
use crate::techniques::{Evidence, Replay, Settings, Stage, info};
use anyhow::Result;
use glam::Vec2;

#[derive(Default)]
pub struct TileReplay {
    asked: Option<(&'static str, [u32; 2])>,
    last: Option<(&'static str, [u32; 2])>,
    is_outdated: bool,
    replay: Option<Replay>,
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
        self.asked = Some((technique, pixel));
        self.last = self.asked;
    }

    pub fn note_change(&mut self, technique: &str) {
        self.is_outdated |= self.replay.is_some() && self.last.is_some_and(|(last, _)| last == technique);
    }

    /// A replay takes longer than a frame.
    pub fn renew(&mut self, is_dragging: bool) {
        if self.is_outdated && !is_dragging {
            self.is_outdated = false;
            self.asked = self.asked.or(self.last);
        }
    }

    pub fn end(&mut self) {
        *self = Self::default();
    }

    pub fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    pub fn take_refusal(&mut self) -> Option<String> {
        self.refusal.take()
    }

    pub fn request(&mut self) -> Option<([u32; 2], Evidence)> {
        self.asked.take().map(|(technique, pixel)| (pixel, Evidence::new(Some(technique))))
    }

    /// Call when the frame has ended, before another is recorded.
    pub fn make(
        &mut self,
        pixel: [u32; 2],
        evidence: &Evidence,
        renderer: &Renderer,
        settings: &Settings,
    ) -> Result<()> {
        match evidence.replay(renderer.last_frame(), settings, pixel)? {
            Some(Ok(replay)) => self.replay = Some(replay),
            Some(Err(why)) => self.refusal = Some(why),
            None => self.asked = evidence.steps_of.map(|technique| (technique, pixel)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tile_is_replayed_again_when_a_drag_has_ended() {
        let mut of = TileReplay::default();
        of.ask("mip_chain", [3, 4]);
        let asked = of.asked.take();
        of.note_change("mip_chain");
        of.renew(false);
        assert_eq!(of.asked, None, "there is no replay yet");
        of.replay = Some(Replay::default());
        for _ in 0..3 {
            of.note_change("mip_chain");
            of.renew(true);
            assert_eq!(of.asked, None);
        }
        of.note_change("glass");
        of.renew(false);
        assert_eq!(of.asked.take(), asked);
        of.renew(false);
        assert_eq!(of.asked, None, "once");
        of.note_change("glass");
        of.renew(false);
        assert_eq!(of.asked, None, "of another technique");
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
