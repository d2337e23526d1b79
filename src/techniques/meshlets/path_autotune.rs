//! Selection of the quickest path, measured while the program draws: a GPU does not report how many units rasterize.

use base::timing::FrameTiming;
use std::collections::VecDeque;

const TRIED: u32 = 6;

#[derive(Default)]
pub struct Auto {
    drawn: [u32; 2],
    pending: VecDeque<(u64, bool)>,
    least_us: [Option<f64>; 2],
}

impl Auto {
    pub fn is_compute(&self) -> bool {
        match (self.drawn, self.least_us) {
            ([raster, _], _) if raster < TRIED => false,
            ([_, compute], _) if compute < TRIED => true,
            (_, [Some(raster), Some(compute)]) => compute < raster,
            _ => false,
        }
    }

    pub fn has_tried_both(&self) -> bool {
        self.drawn.iter().all(|drawn| *drawn >= TRIED)
    }

    pub fn add_frame(&mut self, frame: u64, by_compute: bool) {
        let drawn = &mut self.drawn[usize::from(by_compute)];
        *drawn = drawn.saturating_add(1);
        self.pending.push_back((frame, by_compute));
        self.pending.truncate(64);
    }

    pub fn on_timing(&mut self, timing: &FrameTiming, technique: &str) {
        let Some(at) = self.pending.iter().position(|(frame, _)| *frame == timing.frame) else { return };
        let Some((_, by_compute)) = self.pending.remove(at) else { return };
        let Some(us) = timing.us_of_technique(technique).filter(|us| *us > 0.0) else { return };
        let least = &mut self.least_us[usize::from(by_compute)];
        *least = Some(least.map_or(us, |least| least.min(us)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::timing::PassTiming;

    fn draw(auto: &mut Auto, frame: u64, us: Option<f64>) -> bool {
        let is_compute = auto.is_compute();
        auto.add_frame(frame, is_compute);
        let pass = |name: &str, gpu_us| PassTiming { name: name.into(), gpu_us, ..Default::default() };
        let us = us.map(|raster| if is_compute { 10.0 } else { raster });
        let passes = vec![pass("meshlets/one", us), pass("meshlets/two", us), pass("shade/all", Some(1e6))];
        auto.on_timing(&FrameTiming { frame, passes, ..Default::default() }, "meshlets");
        is_compute
    }

    #[test]
    fn the_quicker_path_is_kept() {
        for (us, kept) in [(Some(9.0), false), (Some(11.0), true), (None, false)] {
            let mut auto = Auto::default();
            let frames: Vec<bool> = (0..30).map(|frame| draw(&mut auto, frame, us)).collect();
            assert!(frames[..6].iter().all(|compute| !compute) && frames[6..12].iter().all(|compute| *compute));
            assert!(auto.has_tried_both());
            assert!(frames[12..].iter().all(|compute| *compute == kept), "{us:?}: {frames:?}");
        }
    }

    #[test]
    fn only_its_own_frames_count() {
        let mut auto = Auto::default();
        (0..12).for_each(|frame| auto.add_frame(frame, frame >= 6));
        let timing = |frame, us| {
            let passes = vec![PassTiming { name: "meshlets/draw 1".into(), gpu_us: Some(us), ..Default::default() }];
            FrameTiming { frame, passes, ..Default::default() }
        };
        for (frame, us) in [(3, 50.0), (9, 80.0), (99, 1.0), (9, 1.0)] {
            auto.on_timing(&timing(frame, us), "meshlets");
        }
        assert!(!auto.is_compute(), "{:?}", auto.least_us);
        (100..300).for_each(|frame| auto.add_frame(frame, false));
        assert!(auto.pending.len() <= 64);
    }
}
