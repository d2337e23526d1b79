//! Steps of the zone plate: the waves of the picture's size that a result cannot hold, and what methods make of them.

use super::{
    super::reference::{Bytes, Plane, Rows, downsampled},
    patch::Patch,
    subject::Subject,
};
use crate::settings::Method;
use glam::DVec2;
use technique::ReplayStep;

/// Most columns and rows of a result that are shown.
const SHOWN: [usize; 2] = [96, 60];
/// Columns and rows of the plate's own pixels that are shown.
const PLATE: [usize; 2] = [48, 30];

/// By several methods, the chosen one first.
pub(super) struct Plates<'a> {
    plate: Bytes<'a>,
    results: Vec<(Method, Plane)>,
}

impl<'a> Plates<'a> {
    pub fn new(subject: &Subject<'_>, plate: &'a [u8]) -> Self {
        let plate = Bytes { size: subject.from, rgba: plate, linear: subject.source.linear };
        let mut methods = vec![subject.method];
        for method in [Method::AreaCompute, Method::Nearest, Method::Lanczos3, Method::Bilinear] {
            if !methods.contains(&method) && methods.len() < 4 {
                methods.push(method);
            }
        }
        let result = |method: Method| (method, downsampled(method, &plate, subject.to));
        Self { plate, results: methods.into_iter().map(result).collect() }
    }

    pub fn result(&self) -> Option<&Plane> {
        self.results.first().map(|(_, plane)| plane)
    }

    pub fn steps(&mut self, subject: &Subject<'_>) -> Vec<ReplayStep> {
        vec![self.plate_step(subject), self.result_step(subject)]
    }

    fn plate_step(&self, subject: &Subject<'_>) -> ReplayStep {
        let middle = subject.covered().map(|[from, to]| 0.5 * (from + to));
        let patch = Patch::near(middle.map(|at| at as usize), PLATE, subject.from);
        let title = format!("Zone plate of {}x{} pixels, around the pixel", subject.from[0], subject.from[1]);
        let mut grid = patch.colors(title, &patch.means(&self.plate), self.plate.linear);
        grid.drawings.push(patch.frame(subject.covered()));
        let waves = waves(subject.from, DVec2::new(middle[0], middle[1]));
        let ratio = [0, 1].map(|axis| f64::from(subject.from[axis]) / f64::from(subject.to[axis]));
        let is_held = is_held(waves, ratio);
        let wave = 1.0 / waves.length().max(1e-9);
        let says = match is_held {
            true => "which the result can hold, so that its rings must stay",
            false => "which is finer than the result can hold, so that plain grey is right and any ring is false",
        };
        let sentence = format!(
            "The zone plate has every width of wave, finer outwards: here a dark and a bright ring together are {} pixels wide, {says}.",
            if wave < 1000.0 { format!("{wave:.1}") } else { "over 1000".into() }
        );
        let figures = vec![(
            "finest wave that the result holds",
            format!("{:.1} x {:.1} pixels", 2.0 * ratio[0], 2.0 * ratio[1]),
        )];
        ReplayStep::new("Zone plate", sentence, vec![grid]).figures(figures)
    }

    /// The results, and the contrast of what they should not show.
    fn result_step(&self, subject: &Subject<'_>) -> ReplayStep {
        let patch = Patch::near(subject.at, SHOWN, subject.to);
        let own = subject.at.map(|at| [at as f64, at as f64 + 1.0]);
        let mut grids = Vec::new();
        for (method, plane) in &self.results {
            let false_rings = match self.false_contrast(subject, plane) {
                Some(part) => format!("{}: false rings {:.1} %", method.title(), 100.0 * part),
                None => method.title(),
            };
            let mut grid = patch.colors(false_rings, &patch.means(plane), self.plate.linear);
            grid.drawings.push(patch.frame(own));
            grids.push(grid);
        }
        let sentence = "Rings around places that are not the middle are aliases: waves finer than two result pixels that the weights let through come back as coarse ones, and no later filter can tell them from real ones.";
        let figures = vec![(
            "false rings",
            "contrast of the result where the plate is too fine for it, as a part of the plate's".into(),
        )];
        ReplayStep::new("Aliases", sentence, grids).figures(figures)
    }

    /// Contrast of a result where the plate is finer than it can hold, as a part of the plate's contrast; `None` where
    /// it never is.
    fn false_contrast(&self, subject: &Subject<'_>, plane: &Plane) -> Option<f64> {
        let ratio = [0, 1].map(|axis| f64::from(subject.from[axis]) / f64::from(subject.to[axis]));
        let width = subject.to[0] as usize;
        let is_false = |number: usize| {
            let at = DVec2::new((number % width) as f64 + 0.5, (number / width) as f64 + 0.5);
            !is_held(waves(subject.from, at * DVec2::from_array(ratio)), ratio)
        };
        let shown = contrast(
            plane.texels.iter().enumerate().filter(|(number, _)| is_false(*number)).map(|(_, value)| value.x),
        )?;
        let plate = (0..self.plate.size[1] as usize).step_by(7).flat_map(|y| self.plate.row(y).into_owned());
        Some(shown / contrast(plate.map(|value| value.x))?.max(1e-9))
    }
}

/// Waves per pixel of the plate at a place, by axis: half of one at the distance of a corner.
fn waves(size: [u32; 2], at: DVec2) -> DVec2 {
    let half = 0.5 * DVec2::new(f64::from(size[0]), f64::from(size[1]));
    (at - half).abs() / (2.0 * half.length())
}

/// Whether a wave is at least two result pixels long, along both axes.
fn is_held(waves: DVec2, ratio: [f64; 2]) -> bool {
    waves.x * ratio[0] <= 0.5 && waves.y * ratio[1] <= 0.5
}

/// Standard deviation; `None` for no values.
fn contrast(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum, squares) = values
        .fold((0.0, 0.0, 0.0), |(count, sum, squares), value| (count + 1.0, sum + value, squares + value * value));
    (count > 0.0).then(|| (squares / count - (sum / count) * (sum / count)).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_grow_to_half_of_one_at_the_corner() {
        assert!((waves([400, 300], DVec2::new(400.0, 300.0)).length() - 0.5).abs() < 1e-12);
        assert_eq!(waves([400, 300], DVec2::new(200.0, 150.0)), DVec2::ZERO);
        assert!(is_held(DVec2::new(0.24, 0.1), [2.0, 2.0]) && !is_held(DVec2::new(0.1, 0.26), [2.0, 2.0]));
    }

    /// Skipped pixels let nearly all of the contrast through; a windowed sinc next to nothing.
    #[test]
    fn false_rings_are_measured() {
        let size = [256, 256];
        let bytes = crate::zone_plate::zone_plate(size);
        let source = Bytes { size, rgba: &bytes, linear: false };
        let subject = Subject {
            method: Method::Nearest,
            light: crate::settings::Light::Encoded,
            source,
            from: size,
            to: [64, 64],
            at: [3, 3],
            traces: Vec::new(),
        };
        let plates = Plates::new(&subject, &bytes);
        let of = |method: Method| {
            let (_, plane) = plates.results.iter().find(|(of, _)| *of == method).unwrap();
            plates.false_contrast(&subject, plane).unwrap()
        };
        let [nearest, mean, lanczos] = [Method::Nearest, Method::AreaCompute, Method::Lanczos3].map(of);
        assert!(nearest > 0.9 && nearest < 1.1, "{nearest}");
        assert!(mean > 0.05 && mean < 0.5 * nearest, "{mean}");
        assert!(lanczos < 0.5 * mean, "{lanczos}");
    }
}
