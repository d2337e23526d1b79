//! Check of depth of field against the CPU reference.

use super::{
    focus::focus,
    settings::{FocusBy, SummedAreaSettings},
    view_checks::{SIZE, around, box_mean, context, draw, light, shown, test_picture},
};
use crate::{
    base::difference::Errors,
    gpu::{Format, Gpu, ImageDesc, Use},
    lab::{Case, Effort, Reference, TestBench, Verdict},
};

pub struct Focus;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Distances {
    Ramp,
    /// Distances of two planes, and nothing beyond.
    Planes,
    /// Leaves of a few pixels, nothing in the gaps between them.
    Leaves,
}

pub struct FocusCase {
    by: FocusBy,
    distances: Distances,
}

const NEAR: f32 = 0.1;

impl Distances {
    fn distance(self, [x, y]: [usize; 2]) -> f32 {
        match self {
            Self::Leaves => {
                let is_leaf = (x / 3 * 5 + y / 2 * 3) % 7 < 4;
                if is_leaf { 6.0 } else { f32::INFINITY }
            }
            _ if x < 60 && y > 20 => 3.0,
            _ if y > 30 => 8.0 + x as f32 * 0.02,
            _ => f32::INFINITY,
        }
    }
}

impl FocusCase {
    fn settings(&self) -> SummedAreaSettings {
        SummedAreaSettings {
            focus_by: self.by,
            focus_blur: 11.0,
            focus_distance: 3.0,
            focus_row: 0.3,
            ..Default::default()
        }
    }

    /// As in `coc.glsl`.
    fn radius(&self, [x, y]: [usize; 2]) -> f64 {
        let settings = self.settings();
        let part = if self.distances != Distances::Ramp {
            (1.0 - NEAR / self.distances.distance([x, y]) / NEAR * settings.focus_distance).abs()
        } else {
            (((y as f32 + 0.5) / SIZE[1] as f32 - settings.focus_row).abs() * 2.0 - 0.1).max(0.0)
        };
        f64::from(part.min(1.0) * settings.focus_blur)
    }

    /// As in `focus.comp`.
    fn smooth_radius(&self, at: [usize; 2]) -> f64 {
        let own = self.radius(at);
        if self.distances == Distances::Ramp {
            return own;
        }
        let [x, y] = around(SIZE.map(|n| n as usize), at, self.settings().focus_blur as usize + 1);
        let radii = y.flat_map(|y| x.clone().map(move |x| [x, y])).map(|at| self.radius(at));
        let (sum, squares) = radii.fold((0.0, 0.0), |(sum, squares), r| (sum + r, squares + r * r));
        (squares / sum.max(1e-9)).min(own + own * own / 4.0)
    }

    fn gather(&self, radius: impl Fn([usize; 2]) -> f64) -> Vec<f32> {
        let (light, [w, h]) = (light(&test_picture(SIZE)), SIZE.map(|n| n as usize));
        let split = |radius: f64| (radius.floor() as usize, radius.fract());
        let mean = |at: usize| box_mean(&light, [at % w, at / w], split(radius([at % w, at / w])));
        shown((0..w * h).map(mean).collect())
    }
}

/// Mean difference of values from the mean of their neighbours.
fn fine_detail(shown: &[f32]) -> f64 {
    let beside = 3;
    let middle = (beside..shown.len() - beside).map(|i| shown[i] - 0.5 * (shown[i - beside] + shown[i + beside]));
    Errors::of(middle.map(|v| f64::from(v.abs()))).mean()
}

impl Reference for Focus {
    const NAME: &'static str = "focus";
    type Input = FocusCase;
    type Output = Vec<f32>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<FocusCase>> {
        let case = |by: &FocusBy, (name, distances): (&str, Distances)| Case {
            name: format!("{}, {name}", by.name()),
            input: FocusCase { by: *by, distances },
        };
        let all = [("a ramp", Distances::Ramp), ("by depth", Distances::Planes), ("leaves", Distances::Leaves)];
        FocusBy::ALL.iter().flat_map(|by| all.map(|distances| case(by, distances))).collect()
    }

    fn cpu(input: &FocusCase) -> Vec<f32> {
        let (light, [w, h]) = (light(&test_picture(SIZE)), SIZE.map(|n| n as usize));
        let split = |at: usize| {
            let radius = input.radius([at % w, at / w]);
            (radius.floor() as usize, radius.fract())
        };
        if input.by == FocusBy::Gather {
            return input.gather(|at| input.smooth_radius(at));
        }
        // Light, and its weight, over each pixel's box.
        let mut sums = vec![[0.0; 4]; w * h];
        for (at, light) in light.iter().enumerate() {
            let (radius, part) = split(at);
            for (radius, share) in [(radius, 1.0 - part), (radius + 1, part)] {
                let weight = share / ((2 * radius + 1) as f64).powi(2);
                let [x, y] = around([w, h], [at % w, at / w], radius);
                for place in y.flat_map(|y| x.clone().map(move |x| y * w + x)) {
                    (0..3).for_each(|c| sums[place][c] += light[c] * weight);
                    sums[place][3] += weight;
                }
            }
        }
        shown(sums.into_iter().map(|sum| [0, 1, 2].map(|c| sum[c] / sum[3])).collect())
    }

    fn gpu(bench: &mut TestBench, input: &FocusCase) -> anyhow::Result<Vec<f32>> {
        let context = context(bench, SIZE, &test_picture(SIZE))?;
        let [w, h] = SIZE.map(|n| n as usize);
        let depths: Vec<f32> = (0..w * h).map(|at| NEAR / input.distances.distance([at % w, at / w])).collect();
        let depth = bench.image(ImageDesc::new("depth", SIZE, Format::R32F, &[Use::Sample]), &depths)?;
        let (depth, settings) = (depth.mip(0), input.settings());
        let world = (input.distances != Distances::Ramp).then_some((&depth, NEAR));
        draw(bench, SIZE, |frame, technique, picture| {
            focus(&mut technique.tables, frame, &settings, &context.chain.mip(0), world, picture)
        })
    }

    /// A radius next to a whole number may fall to either side; both blend to the same.
    fn agree(input: &FocusCase, cpu: &Vec<f32>, gpu: &Vec<f32>) -> Verdict {
        let verdict = Verdict::within("steps of 1/255", &Errors::between(cpu, gpu), [0.35, 0.6, 1.0]);
        if (input.by, input.distances) != (FocusBy::Gather, Distances::Leaves) {
            return verdict;
        }
        // A mean over each pixel's own box shows the leaves' outlines. Light that is spread has 0.516 of its fine
        // detail, which is the picture's.
        let outlines = fine_detail(&input.gather(|at| input.radius(at)));
        verdict.and(Verdict::at_most("part of the outlines that is left", fine_detail(gpu) / outlines, 0.52))
    }
}
