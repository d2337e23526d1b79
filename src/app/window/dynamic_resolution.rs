//! How many pixels the world has while it moves: as many as the GPU can draw in time.

use crate::base::timing::{FrameTiming, PassTiming, technique_of};
use crate::gpu::Delayed;
use crate::techniques::{Stage, info};
use std::time::{Duration, Instant};

/// What the world may take of a frame's GPU time, microseconds: 15 frames a second with room for the glass.
const BUDGET_US: f64 = 45_000.0;
/// Slower than the budget by so much: fewer pixels.
const SLOW: f64 = 1.15;
/// Quicker by so much: more.
const QUICK: f64 = 0.7;
/// Steps of the scale, so that images are not made again all the time.
const STEP: f32 = 1.0 / 16.0;
/// Least part of each side.
const LEAST: f32 = 0.25;
/// After so long without a movement the world is drawn once with all its pixels.
pub const REST: Duration = Duration::from_millis(250);

/// Follows the GPU times of the frames that drew the world.
#[derive(Clone, Debug)]
pub struct DynamicResolution {
    scale: f32,
    /// The scales of frames whose times are not known yet.
    drawn: Delayed<f32>,
    moved_at: Option<Instant>,
}

impl Default for DynamicResolution {
    fn default() -> Self {
        Self { scale: 1.0, drawn: Delayed::default(), moved_at: None }
    }
}

impl DynamicResolution {
    /// Takes what a frame took.
    pub fn on_timing(&mut self, timing: &FrameTiming) {
        let Some(scale) = self.drawn.take(timing.frame) else { return };
        // The cost of these goes with the world's pixels; a frame without them only shows the world again and says nothing.
        let of_world =
            |pass: &PassTiming| info(technique_of(&pass.name)).is_some_and(|info| info.stage == Stage::World);
        let world: Vec<_> = timing.passes.iter().filter(|pass| of_world(pass)).collect();
        if world.is_empty() {
            return;
        }
        let us: f64 = world.into_iter().filter_map(|pass| pass.gpu_us).sum();
        // Time goes with the area; what this scale would have taken:
        let ratio = us * f64::from(self.scale / scale).powi(2) / BUDGET_US;
        if ratio > SLOW || (ratio < QUICK && self.scale < 1.0) {
            // Upwards only a step at a time: a quick frame may be a lucky one.
            let wanted = self.scale / (ratio.max(1e-3) as f32).sqrt();
            self.scale = ((wanted / STEP).floor() * STEP).min(self.scale + STEP).clamp(LEAST, 1.0);
        }
    }

    /// The scale for frame `number`: 1 where the world rests. `moves`: it is another than in the last frame. Also how long until
    /// it should be drawn again with all its pixels, if so.
    pub fn frame(&mut self, number: u64, moves: bool, now: Instant) -> (f32, Option<Duration>) {
        if moves {
            self.moved_at = Some(now);
        }
        let rests = self.moved_at.map(|moved_at| now.saturating_duration_since(moved_at));
        let (scale, again) = match rests.filter(|rests| *rests < REST && self.scale < 1.0) {
            Some(rests) => (self.scale, Some(REST - rests)),
            None => (1.0, None),
        };
        self.drawn.put(number, scale);
        (scale, again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    fn timing(frame: u64, us: f64) -> FrameTiming {
        let pass = |name: &str, us| PassTiming { name: name.into(), gpu_us: Some(us), ..Default::default() };
        FrameTiming { frame, passes: vec![pass("shade/list", us), pass("glass/lens", 9e9)], ..Default::default() }
    }

    /// What comes about where a whole picture takes `full_us`, and times come two frames late.
    fn settled(full_us: f64) -> DynamicResolution {
        let (mut resolution, now) = (DynamicResolution::default(), Instant::now());
        let mut late = VecDeque::new();
        for frame in 0..80 {
            let (scale, _) = resolution.frame(frame, true, now);
            late.push_back(timing(frame, full_us * f64::from(scale * scale)));
            if late.len() > 2 {
                resolution.on_timing(&late.pop_front().unwrap());
            }
        }
        resolution
    }

    #[test]
    fn the_budget_is_kept_and_quick_ones_keep_all_pixels() {
        assert_eq!(settled(20_000.0).scale, 1.0);
        for full in [80_000.0, 150_000.0, 300_000.0] {
            let scale = settled(full).scale;
            let us = full * f64::from(scale * scale);
            assert!(scale < 1.0 && us < SLOW * BUDGET_US && us > 0.5 * BUDGET_US, "{full}: {scale}");
        }
        assert_eq!(settled(1e9).scale, LEAST);
    }

    #[test]
    fn a_world_at_rest_is_drawn_once_more_in_full() {
        let (mut resolution, start) = (settled(100_000.0), Instant::now());
        let (scale, again) = resolution.frame(100, true, start);
        assert!(scale < 1.0 && again == Some(REST));
        assert_eq!(resolution.frame(101, false, start + REST), (1.0, None));
        resolution.on_timing(&timing(101, 100_000.0));
        assert_eq!(resolution.scale, scale, "it took as long as a full picture takes");
        resolution.frame(102, true, start + REST);
        resolution.on_timing(&FrameTiming { frame: 102, ..Default::default() });
        assert_eq!(resolution.scale, scale, "a frame without the world says nothing");
    }
}
