//! Steps of the mode "source": the layers of the original article's shader, at a pixel and around it.

use super::{
    region::{NORMAL_LINE, OUTLINE, PIXEL, Region, bytes, colored, numbers, words},
    subject::Subject,
};
use crate::lab::reference::blur::lod_from_sigma;
use crate::lab::reference::picture::encoded_from_linear;
use crate::lab::reference::source::{Layers, SOURCE_SIGMA, layers};
use crate::settings::SourceBlur;
use glam::{DVec2, Vec2, Vec3};
use technique::{Cell, Drawing, Form, Grid, ReplayStep, Role};

const LENS: [usize; 2] = [60, 36];
/// F on the outline.
const EDGE: f64 = 1e-4;

pub(super) fn steps(subject: &Subject<'_>, center: Vec2, blur: SourceBlur) -> Vec<ReplayStep> {
    let size = subject.picture.size().as_vec2();
    let here = layers(subject.frag, center, size);
    let lens = SourceLens { subject, center, size };
    let mut steps = vec![lens.field(&here)];
    steps.extend(lens.masks(&here));
    steps.push(lens.place(&here));
    let blurred = lens.blurred(&here, blur);
    steps.push(blurred.1);
    steps.push(lens.mix(&here, blurred.0));
    steps
}

struct SourceLens<'a> {
    subject: &'a Subject<'a>,
    center: Vec2,
    size: Vec2,
}

type Mask = (&'static str, &'static str, fn(&Layers) -> f32);

const MASKS: [Mask; 4] = [
    (
        "rb1",
        "rb1 is the body: 1 - 10000 F, eight times as steep and cut to 0 and 1, so that it is 1 inside and falls to 0 just before the outline",
        |layers| layers.rb1,
    ),
    (
        "rb2",
        "rb2 is a thin line at the border, the difference of two such ramps, 0.95 - 9500 F and 0.9 - 9500 F, sixteen times as steep",
        |layers| layers.rb2,
    ),
    (
        "rb3",
        "rb3 is a wider band, between the ramps 1.5 - 11000 F and 1 - 11000 F, twice as steep: it says where the light from below may fall",
        |layers| layers.rb3,
    ),
    (
        "transition",
        "transition is how much of the glass the result has: the sum of rb1 and rb2, cut to 1 and smoothed, so that the outline has no steps",
        |layers| layers.transition,
    ),
];

impl SourceLens<'_> {
    fn region(&self) -> Region {
        // F is 1e-4 at 0.158 of the window's height.
        let reach = 0.158 * f64::from(self.size.y);
        Region::around(self.center.as_dvec2(), 2.6 * reach * LENS[0] as f64 / LENS[1] as f64, LENS)
    }

    fn at(&self, place: DVec2) -> Layers {
        layers(place.as_vec2(), self.center, self.size)
    }

    fn marked(&self, mut grid: Grid, region: Region) -> Grid {
        grid.drawings.extend(region.contour(|place| f64::from(self.at(place).f) - EDGE, Form::Line(1.4), OUTLINE));
        let at = vec![region.place(self.subject.frag.as_dvec2())];
        grid.drawings.push(Drawing::new(Form::Dot(3.5), at, PIXEL).labeled("pixel"));
        grid
    }

    fn field(&self, here: &Layers) -> ReplayStep {
        let region = self.region();
        let cell = |place: DVec2| {
            // A factor of ten is a quarter of the ramp.
            let part = (1.0 + 0.25 * (f64::from(self.at(place).f).max(1e-12) / EDGE).log10()).clamp(0.0, 1.0) as f32;
            Cell::new(bytes(Vec3::new(0.15, 0.25, 0.4).lerp(Vec3::new(0.95, 0.9, 0.6), part)), "")
        };
        let grid =
            Grid::new("F over the window, from dark to bright", region.columns, region.middles().map(cell).collect());
        let sentence = "F is the eighth power of the way right of the centre plus that of the way down, in window heights: a box with round corners is where it is 0.0001, and every layer is made of this one number.";
        let figures = vec![("F here", format!("{:.3e}", here.f)), ("on the outline", "1e-4".into())];
        ReplayStep::new("Box", sentence, vec![self.marked(grid, region)]).figures(figures)
    }

    fn masks(&self, here: &Layers) -> Vec<ReplayStep> {
        let region = self.region();
        let step = |(name, what, value): &Mask| {
            let picture = region.of_picture("", self.subject.picture);
            let cells = region.middles().zip(picture.cells).map(|(place, below)| {
                // Lines are narrower than a cell: the mean of 16 places.
                let places = (0..16)
                    .map(|at| place + region.cell * (DVec2::new((at % 4).into(), (at / 4).into()) / 4.0 - 0.375));
                let part = places.map(|place| value(&self.at(place))).sum::<f32>() / 16.0;
                let below = Vec3::from_array(below.color.map(|channel| f32::from(channel) / 255.0)) * 0.35;
                Cell::new(bytes(below.lerp(Vec3::new(1.0, 0.82, 0.4), part)), format!("{part:.2}"))
            });
            let grid = Grid::new(format!("{name}, mean over each cell: yellow is 1"), region.columns, cells.collect());
            ReplayStep::new(format!("Layer {name}"), format!("{what}."), vec![self.marked(grid, region)])
                .figures(vec![("here", format!("{:.3}", value(here)))])
        };
        MASKS.iter().map(step).collect()
    }

    fn place(&self, here: &Layers) -> ReplayStep {
        let size = self.size.as_dvec2();
        let wide = size.x.max(size.y * LENS[0] as f64 / LENS[1] as f64);
        let region = Region::around(0.5 * size, wide, LENS);
        let grid = region.of_picture("The whole picture", self.subject.picture);
        let mut grid = self.marked(grid, region);
        let (from, to) = (self.subject.frag.as_dvec2(), (here.lens * self.size).as_dvec2());
        let middle = region.place(0.5 * size);
        grid.drawings.push(Drawing::new(Form::Dot(3.0), vec![middle], OUTLINE).labeled("middle of the window"));
        let way = vec![region.place(from), region.place(to)];
        grid.drawings.push(Drawing::new(Form::Arrow(1.8), way, NORMAL_LINE).labeled("read here"));
        let sentence = format!(
            "The picture is read at its place times 1 - 5000 F about the middle of the window, not of the lens: {:.1} px away here, and a lens beside the middle shows what is far from it, a fault of the source.",
            (to - from).length()
        );
        let figures = vec![
            ("read at, px", format!("{:.1}, {:.1}", to.x, to.y)),
            ("factor", format!("{:.3}", 1.0 - 5000.0 * here.f)),
        ];
        ReplayStep::new("Lens", sentence, vec![grid]).figures(figures)
    }

    /// Encoded.
    fn blurred(&self, here: &Layers, blur: SourceBlur) -> (Vec3, ReplayStep) {
        let picture = self.subject.picture;
        let (color, grid, sentence) = match blur {
            SourceBlur::Box81 => {
                let taps: Vec<Vec3> = (-4..=4)
                    .flat_map(|y| (-4..=4).map(move |x| Vec2::new(x as f32, y as f32)))
                    .map(|tap| picture.encoded.sample_clamped(here.lens + tap * 0.5 / self.size))
                    .collect();
                let mean = taps.iter().sum::<Vec3>() / 81.0;
                let cells =
                    taps.iter().map(|tap| Cell { text: format!("{:.2}", tap.element_sum() / 3.0), ..colored(*tap) });
                let grid = Grid::new("81 reads, half a pixel apart (mean of red, green, blue)", 9, cells.collect());
                let sentence = "The blur is the plain mean of 81 reads at half pixels, 4 x 4 pixels in all: each counts 1/81, and it is encoded values that are added, so that fine bright detail gets too dark.";
                (mean, grid, sentence)
            }
            SourceBlur::Mips => {
                let level = lod_from_sigma(SOURCE_SIGMA);
                let color = encoded_from_linear(picture.sample(here.lens * self.size, level));
                let grid = Grid::new(format!("One read of level {level:.2} of the mip chain"), 1, vec![colored(color)]);
                let sentence = "In place of the source's 81 reads one trilinear read of the mip chain is as wide: the same blur of linear light, for a fraction of the time.";
                (color, grid, sentence)
            }
        };
        let figures = vec![("blurred, red green blue", numbers(color))];
        let step = ReplayStep::new("Blur", sentence, vec![grid]).figures(figures);
        (color, step)
    }

    fn mix(&self, here: &Layers, blurred: Vec3) -> ReplayStep {
        let body = blurred + here.rb1 * here.gradient;
        let lighting = (body + here.rb2 * 0.3).clamp(Vec3::ZERO, Vec3::ONE);
        let below = self.subject.picture.encoded.sample_clamped(self.subject.frag / self.size);
        let mixed = below.lerp(lighting, here.transition);
        let mut cells = Vec::new();
        for (name, color) in [
            ("blurred", blurred),
            ("+ rb1 gradient", body),
            ("+ 0.3 rb2, cut", lighting),
            ("picture here", below),
            ("mixed", mixed),
        ] {
            cells.extend([words(name, Role::Idle), colored(color), words(numbers(color), Role::Idle)]);
        }
        let grid = Grid::new("Layer, colour after it, red green blue", 3, cells).aspect(8.0);
        let sentence = format!(
            "Light is added where the masks say, a gradient of {:.3} on the body and 0.3 on the border line, and {:.0} % of the result over the picture is the pixel: all of it with encoded values.",
            here.gradient,
            100.0 * here.transition
        );
        let figures =
            vec![("gradient", format!("{:.3}", here.gradient)), ("transition", format!("{:.3}", here.transition))];
        ReplayStep::new("Light and mix", sentence, vec![grid]).figures(figures)
    }
}
