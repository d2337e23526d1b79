//! Dynamic resolution of the moving world and its reflections: the highest that the GPU draws in time.

use crate::ray_choice::{RayChoice, UNKNOWN_INTERVAL_US};
use base::timing::{FrameTiming, PassTiming, technique_of};
use gpu::Delayed;
use reflections::{AutoRays, Reflections};
use std::time::{Duration, Instant};
use technique::{Stage, Technique as _};
use techniques::{info, is_fixed};

/// 15 frames a second with room for the glass.
const BUDGET_US: f64 = 45_000.0;
/// If other passes exceed their part.
const LEAST_US: f64 = 15_000.0;
const SLOW: f64 = 1.15;
const QUICK: f64 = 0.7;
/// Coarse, so that images are seldom reallocated.
const STEP: f32 = 1.0 / 16.0;
const LEAST: f32 = 0.25;
/// In motion, and once at rest.
const MIRRORS_US: f64 = 15_000.0;
const MIRRORS_AT_REST_US: f64 = 400_000.0;
const MIRRORS_LEAST: f32 = STEP;
pub const REST: Duration = Duration::from_millis(250);

#[derive(Clone, Debug)]
pub struct DynamicResolution {
    scale: f32,
    /// World, and reflections if controlled here.
    drawn: Delayed<(f32, Option<f32>)>,
    parts: Delayed<()>,
    begun: WorldTime,
    moved_at: Option<Instant>,
    mirrors: Mirrors,
    rays: RayChoice,
}

#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    pub moves: bool,
    pub shares_time: bool,
    pub may_share_rays: bool,
    pub is_repeated: bool,
}

/// Microseconds.
#[derive(Clone, Copy, Debug, Default)]
struct WorldTime {
    drawn: f64,
    mirrors: Option<f64>,
}

#[derive(Clone, Debug, Default)]
struct Mirrors {
    unknown: f32,
    /// Microseconds at full resolution with a ray for each pixel.
    whole_us: Option<f64>,
    last_us: f64,
    at_rest: Option<f32>,
}

impl Mirrors {
    fn within(&self, us: f64, scale: f32) -> f32 {
        let Some(whole_us) = self.whole_us else { return self.unknown };
        let part = (us / whole_us.max(1.0)).sqrt() as f32 / scale;
        ((part / STEP).floor() * STEP).clamp(MIRRORS_LEAST, 1.0)
    }

    /// `times`: cost over that of one ray for each pixel.
    fn on_timing(&mut self, us: f64, times: f64, [world, mirrors]: [f32; 2]) {
        let whole = us * times / f64::from(world * mirrors).powi(2);
        self.whole_us = Some(self.whole_us.map_or(whole, |known| 0.5 * (known.min(4.0 * whole) + whole)));
        self.last_us = us;
    }

    fn scale_at_rest(&mut self) -> f32 {
        let wanted = self.within(MIRRORS_AT_REST_US, 1.0);
        let is_near = |last: &f32| wanted < 1.4 * last && wanted > 0.5 * last;
        let at_rest = self.at_rest.filter(is_near).unwrap_or(wanted);
        self.at_rest = Some(at_rest);
        at_rest
    }
}

impl DynamicResolution {
    pub fn new(unknown: f32) -> Self {
        let mirrors = Mirrors { unknown, ..Mirrors::default() };
        Self {
            scale: 1.0,
            drawn: Default::default(),
            parts: Default::default(),
            begun: Default::default(),
            moved_at: None,
            mirrors,
            rays: RayChoice::new(UNKNOWN_INTERVAL_US),
        }
    }

    pub fn auto_rays(&self) -> AutoRays {
        self.rays.auto()
    }

    pub fn set_display_us(&mut self, us: Option<f64>) {
        self.rays.set_interval_us(us.unwrap_or(UNKNOWN_INTERVAL_US));
    }

    pub fn drew_mirrors(&mut self, number: u64, is_shared: bool) {
        self.rays.drew(number, is_shared);
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) {
        let times = if self.rays.on_timing(timing) == Some(true) { self.rays.ratio() } else { 1.0 };
        let Some((scale, mirrors)) = self.drawn.take(timing.frame) else { return };
        // A frame that only reprojects the world is no measurement.
        let of_world =
            |pass: &PassTiming| info(technique_of(&pass.name)).is_some_and(|info| info.stage == Stage::World);
        let world: Vec<_> = timing.passes.iter().filter(|pass| of_world(pass)).collect();
        if world.is_empty() {
            return;
        }
        let is_mirrors = |pass: &&PassTiming| technique_of(&pass.name) == Reflections::ID;
        let sum = |mirrored: bool| -> f64 {
            world.iter().copied().filter(|pass| is_mirrors(pass) == mirrored).filter_map(|pass| pass.gpu_us).sum()
        };
        let fixed: f64 = world.iter().filter(|pass| is_fixed(pass)).filter_map(|pass| pass.gpu_us).sum();
        let mirrored = world.iter().any(is_mirrors).then(|| sum(true));
        self.begun.drawn += sum(false) - fixed;
        self.begun.mirrors = self.begun.mirrors.into_iter().chain(mirrored).reduce(|a, b| a + b);
        if self.parts.take(timing.frame).is_some() {
            return;
        }
        let WorldTime { drawn, mirrors: mirrored } = std::mem::take(&mut self.begun);
        if drawn <= 0.0 {
            return; // mirrors of a world that was drawn before
        }
        match (mirrors, mirrored) {
            (Some(part), Some(us)) => self.mirrors.on_timing(us, times, [scale, part]),
            _ => self.mirrors.last_us = mirrored.unwrap_or_default(),
        }
        let budget = (BUDGET_US - self.mirrors.last_us.min(MIRRORS_US) - fixed).max(LEAST_US);
        let ratio = drawn * f64::from(self.scale / scale).powi(2) / budget;
        if ratio > SLOW || (ratio < QUICK && self.scale < 1.0) {
            // A fast frame may be an outlier: upwards one step at a time.
            let wanted = self.scale / (ratio.max(1e-3) as f32).sqrt();
            self.scale = ((wanted / STEP).floor() * STEP).min(self.scale + STEP).clamp(LEAST, 1.0);
        }
    }

    pub fn drew_part(&mut self, number: u64) {
        self.parts.put(number, ());
    }

    /// World and reflections, and the time until a redraw at a higher resolution.
    pub fn frame(&mut self, number: u64, drawn: Drawn, now: Instant) -> ([f32; 2], Option<Duration>) {
        let Drawn { moves, shares_time: shares, may_share_rays, is_repeated } = drawn;
        if moves {
            self.moved_at = Some(now);
        }
        let rest = self.mirrors.scale_at_rest();
        // Shared rays show more than fewer pixels, and need as many pixels as the picture.
        let shared_us = if may_share_rays { MIRRORS_US * self.rays.ratio() } else { MIRRORS_US };
        let moving_mirrors = match self.mirrors.within(shared_us, self.scale) {
            whole if whole >= 1.0 => whole,
            _ => self.mirrors.within(MIRRORS_US, self.scale),
        };
        let moving = [self.scale, moving_mirrors.min(rest)];
        let rests = self.moved_at.map(|moved_at| now.saturating_duration_since(moved_at));
        let is_less = moving[0] < 1.0 || !shares && moving[1] < rest;
        let (scales, again) = match rests.filter(|rests| *rests < REST && is_less) {
            Some(rests) => (moving, Some(REST - rests)),
            None => ([1.0, rest], None),
        };
        if !is_repeated {
            self.drawn.put(number, (scales[0], (!shares).then_some(scales[1])));
        }
        (scales, again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    const MOVES: Drawn = Drawn { moves: true, shares_time: false, may_share_rays: false, is_repeated: false };
    const RESTS: Drawn = Drawn { moves: false, ..MOVES };

    fn pass(name: &str, us: f64) -> PassTiming {
        PassTiming { name: name.into(), gpu_us: Some(us), ..Default::default() }
    }

    fn timing(frame: u64, us: f64) -> FrameTiming {
        FrameTiming { frame, passes: vec![pass("shade/list", us), pass("glass/lens", 9e9)], ..Default::default() }
    }

    fn settled(full_us: f64) -> DynamicResolution {
        let (mut resolution, now) = (DynamicResolution::new(1.0), Instant::now());
        let mut late = VecDeque::new();
        for frame in 0..80 {
            let ([scale, _], _) = resolution.frame(frame, MOVES, now);
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
        let ([scale, _], again) = resolution.frame(100, MOVES, start);
        assert!(scale < 1.0 && again == Some(REST));
        assert_eq!(resolution.frame(101, RESTS, start + REST), ([1.0, 1.0], None));
        resolution.on_timing(&timing(101, 100_000.0));
        assert_eq!(resolution.scale, scale, "it took as long as a full picture takes");
        resolution.frame(102, MOVES, start + REST);
        resolution.on_timing(&FrameTiming { frame: 102, ..Default::default() });
        assert_eq!(resolution.scale, scale, "a frame without the world says nothing");
    }

    #[test]
    fn a_world_that_is_drawn_over_several_frames_counts_once() {
        let (mut at_once, now) = (settled(150_000.0), Instant::now());
        let mut in_parts = DynamicResolution::new(1.0);
        for frame in 0..240 {
            let ([scale, _], _) = in_parts.frame(frame, MOVES, now);
            if frame % 3 < 2 {
                in_parts.drew_part(frame);
            }
            in_parts.on_timing(&timing(frame, 50_000.0 * f64::from(scale * scale)));
        }
        assert_eq!(in_parts.scale, at_once.frame(500, MOVES, now).0[0]);
    }

    fn mirrored(resolution: &mut DynamicResolution, whole_us: f64, moves: bool) -> [f32; 2] {
        let (mut scales, now) = ([0.0; 2], Instant::now());
        for frame in 1000..1030 {
            scales = resolution.frame(frame, Drawn { moves, ..MOVES }, now).0;
            let mirrors = whole_us * f64::from(scales[0] * scales[1]).powi(2);
            let passes = vec![pass("shade/list", 1000.0), pass("reflections/bounces", mirrors)];
            resolution.on_timing(&FrameTiming { frame, passes, ..Default::default() });
        }
        scales
    }

    #[test]
    fn reflections_have_a_scale_of_their_own() {
        for (moves, most_us) in [(true, MIRRORS_US), (false, MIRRORS_AT_REST_US)] {
            let mut software = DynamicResolution::new(0.25);
            assert_eq!(software.frame(0, RESTS, Instant::now()).0, [1.0, 0.25]);
            let [world, mirrors] = mirrored(&mut software, 2e6, moves);
            let us = 2e6 * f64::from(mirrors).powi(2);
            assert!(world == 1.0 && us <= most_us * 1.01 && us > 0.3 * most_us, "{moves}: {world} {mirrors}");
        }
        assert_eq!(mirrored(&mut DynamicResolution::new(1.0), 9000.0, true), [1.0, 1.0], "quick ones have all pixels");
    }

    #[test]
    fn shared_rays_come_before_fewer_pixels_also_after_a_rest() {
        let (mut resolution, now) = (DynamicResolution::new(1.0), Instant::now());
        let drawn = |moves| Drawn { moves, may_share_rays: true, ..MOVES };
        let mut draw = |frame: u64, moves: bool, now: Instant| {
            let [scale, mirrors] = resolution.frame(frame, drawn(moves), now).0;
            let is_shared = moves && mirrors == 1.0 && resolution.auto_rays().is_shared;
            resolution.drew_mirrors(frame, is_shared);
            let mirrors_us = if is_shared { 8_000.0 } else { 40_000.0 } * f64::from(scale * mirrors).powi(2);
            let passes = vec![pass("shade/list", 3000.0), pass("reflections/bounces", mirrors_us)];
            let gpu_us = Some(3000.0 + mirrors_us);
            resolution.on_timing(&FrameTiming { frame, gpu_us, passes, ..Default::default() });
            (mirrors, is_shared)
        };
        let moved = |draw: &mut dyn FnMut(u64, bool, Instant) -> (f32, bool), first: u64| {
            (first..first + 60).map(|frame| draw(frame, true, now)).last()
        };
        assert_eq!(moved(&mut draw, 0), Some((1.0, true)));
        (60..80).for_each(|frame| assert_eq!(draw(frame, false, now + 2 * REST), (1.0, false), "at rest"));
        assert_eq!(moved(&mut draw, 80), Some((1.0, true)), "after the rest has shown what every pixel costs");
    }
}
