//! Glass panels of the window: their fade of a quarter of a second, and the glow where they are pressed.

use glam::Vec2;
use scene::{GlassPanel, Press};
use ui::panel_rects::Pane;

const FADE_S: f32 = 0.25;
/// Rise and fall, seconds.
const PRESS_S: [f32; 2] = [0.06, 0.35];

#[derive(Debug, Default)]
pub struct GlassPanels {
    panes: Vec<Pane>,
    presence: f32,
    press: Option<Press>,
}

impl GlassPanels {
    pub fn advance(&mut self, seconds: f32, panes: Vec<Pane>, pressed: Option<Vec2>, is_still: bool) -> bool {
        let goal = if panes.is_empty() { 0.0 } else { 1.0 };
        if !panes.is_empty() {
            self.panes = panes;
        }
        let step = if is_still { 1.0 } else { seconds / FADE_S };
        self.presence += (goal - self.presence).clamp(-step, step);
        if self.presence <= 0.0 {
            self.panes.clear();
        }
        let before = self.press.map_or(0.0, |press| press.strength);
        let goal_press = if pressed.is_some() { 1.0 } else { 0.0 };
        let step = seconds / if pressed.is_some() { PRESS_S[0] } else { PRESS_S[1] };
        let strength = before + (goal_press - before).clamp(-step, step);
        let at = pressed.or(self.press.map(|press| press.at));
        self.press = at.filter(|_| strength > 0.0 || pressed.is_some()).map(|at| Press { at, strength });
        self.presence != goal || strength != goal_press
    }

    /// `bright`: 0 for light text, 1 for dark text.
    pub fn drawn(&self, scale: f32, bright: f32) -> Vec<GlassPanel> {
        let corner = |at: egui::Pos2| Vec2::new(at.x, at.y) * scale;
        let smooth = self.presence * self.presence * (3.0 - 2.0 * self.presence);
        let panel = |pane: &Pane| GlassPanel {
            low: corner(pane.rect.min),
            high: corner(pane.rect.max),
            radius: pane.radius * scale,
            kind: pane.kind,
            bright,
            presence: smooth,
        };
        self.panes.iter().map(panel).collect()
    }

    pub fn press(&self) -> Option<Press> {
        self.press
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Rect, pos2};
    use scene::GlassPanelKind;

    fn pane() -> Vec<Pane> {
        let rect = Rect::from_min_max(pos2(10.0, 20.0), pos2(110.0, 60.0));
        vec![Pane { rect, radius: 8.0, kind: GlassPanelKind::Panel }]
    }

    #[test]
    fn panels_come_and_go_and_then_nothing_is_drawn() {
        let mut panels = GlassPanels::default();
        let mut frames = 0;
        while panels.advance(0.016, pane(), None, false) {
            frames += 1;
            let [panel] = panels.drawn(2.0, 0.0)[..] else { panic!("one panel") };
            assert!((0.0..1.0).contains(&panel.presence));
            assert_eq!((panel.low, panel.radius), (Vec2::new(20.0, 40.0), 16.0));
        }
        assert!((10..20).contains(&frames) && panels.drawn(1.0, 1.0)[0].presence == 1.0, "{frames}");
        assert!(panels.advance(0.016, Vec::new(), None, false) && panels.drawn(1.0, 0.0).len() == 1, "it goes slowly");
        assert!(!panels.advance(0.016, Vec::new(), None, true) && panels.drawn(1.0, 0.0).is_empty(), "or at once");
    }

    #[test]
    fn a_press_glows_and_fades() {
        let (mut panels, at) = (GlassPanels::default(), Vec2::new(30.0, 40.0));
        panels.advance(0.0, pane(), None, true);
        assert!(panels.advance(0.016, pane(), Some(at), true) && panels.press().is_some());
        assert!(!panels.advance(0.1, pane(), Some(at), true));
        assert_eq!(panels.press(), Some(Press { at, strength: 1.0 }));
        assert!(panels.advance(0.1, pane(), None, true), "it fades");
        assert!(!panels.advance(1.0, pane(), None, true) && panels.press().is_none());
    }
}
