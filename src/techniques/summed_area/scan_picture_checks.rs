//! Checks of the picture of a scan: its cells, numbers, lines and bars, each at its place.

use super::{
    scan::Scan,
    scan_picture::{length, place},
    scan_reference::{Step, Term, replay, steps},
    settings::SummedAreaSettings,
    view_checks::{canvas_of, context, row_of, test_picture},
};
use crate::{
    gpu::{Gpu, Result},
    lab::{Case, Effort, Reference, TestBench, Verdict},
};
use glam::{IVec2, UVec2, Vec2};

const SIZE: [u32; 2] = [720, 480];
/// Legend of the view, and colour between the cells.
const COLORS: [[u8; 3]; 6] = [GROUND, [70, 78, 92], [64, 150, 230], [90, 200, 130], [235, 80, 70], [250, 200, 90]];
const GROUND: [u8; 3] = [18, 20, 26];
const STILL: u32 = 1;
const NEW: u32 = 2;
const DONE: u32 = 3;
const CLASH: u32 = 4;
const WIRE: u32 = 5;
/// Dots of each digit, of three by five.
const DOTS: [u32; 10] = [12, 8, 11, 11, 9, 11, 12, 7, 13, 12];

pub struct ScanPictures;

enum Sample {
    At(IVec2),
    /// Whether there is a line at one of these places: at others, lines cross.
    Line([IVec2; 3]),
    /// Dots of n pixels a side within this.
    Dots(IVec2, IVec2, i32),
}

/// Places, and their content: a colour's number, or dots.
fn samples(settings: &SummedAreaSettings, free: UVec2) -> Vec<(Sample, u32)> {
    let (length, stages) = (length(settings), steps(settings.scan, length(settings)));
    let (rows, shown) = (stages.len() + 1, (settings.view_step as usize).min(stages.len()));
    let [corner, size] = place(UVec2::from_array(SIZE), free);
    let cell = size.as_vec2() / Vec2::new(length as f32, rows as f32);
    let at = |column: f32, row: f32| (corner.as_vec2() + Vec2::new(column, row) * cell).as_ivec2();
    let extent = IVec2::new(cell.x as i32, (cell.y / 2.0) as i32);
    let zoom = ((cell.x * 0.9) as i32 / 20).min((cell.y * 0.4) as i32 / 5).max(1);
    let values = replay(&stages, &row_of(SIZE, settings));
    let mut all = vec![(
        Sample::At(IVec2::new(SIZE[0] as i32 - 4, corner.y as i32 + 3)),
        if free.x < SIZE[0] { 0 } else { STILL },
    )];
    for (row, values) in values.iter().enumerate() {
        let step: Option<&Step> = row.checked_sub(1).map(|before| &stages[before]);
        let conflicts = step.map(|step| step.conflicts(settings.view_banks as usize, settings.padding));
        for column in 0..length {
            let first = at(column as f32, row as f32);
            if row > shown {
                all.push((Sample::At(first + 3), 0));
                continue;
            }
            let is_new = step.is_some_and(|step| step.terms[column] != [Term::Previous(column), Term::Zero]);
            let fill = if row + 1 == rows {
                DONE
            } else if is_new {
                NEW
            } else {
                STILL
            };
            all.push((Sample::At(first + 3), fill));
            let digits = values[column].to_string();
            let dots = digits.bytes().map(|digit| DOTS[usize::from(digit - b'0')]).sum();
            all.push((Sample::Dots(first, first + extent, zoom), dots));
            let clash = conflicts.as_ref().map_or(0, |conflicts| conflicts[column]);
            if clash > 1 {
                all.push((Sample::At(first + IVec2::new(extent.x / (2 * clash as i32), extent.y - 3)), CLASH));
            }
            for term in step.iter().flat_map(|step| &step.terms[column]) {
                let Term::Previous(from) = *term else { continue };
                if from == column {
                    continue;
                }
                let [a, b] =
                    [Vec2::new(from as f32 + 0.5, row as f32 - 0.5), Vec2::new(column as f32 + 0.5, row as f32)];
                let along = |part: f32| at(a.lerp(b, part).x, a.lerp(b, part).y);
                all.push((Sample::Line([0.2, 0.45, 0.7].map(along)), WIRE));
            }
        }
    }
    all
}

fn nearest(pixel: [u8; 3]) -> u32 {
    let apart = |color: &[u8; 3]| (0..3).map(|c| i32::from(color[c].abs_diff(pixel[c])).pow(2)).sum::<i32>();
    let all = COLORS.iter().enumerate().min_by_key(|(_, color)| apart(color));
    all.map_or(0, |(number, _)| number as u32)
}

impl Reference for ScanPictures {
    const NAME: &'static str = "scan_picture";
    type Input = (SummedAreaSettings, UVec2);
    type Output = Vec<u32>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let whole = UVec2::from_array(SIZE);
        let case = |scan: Scan, step: u32, free: UVec2, padding: bool| Case {
            name: format!("{} to step {step} within {}x{}", scan.name(), free.x, free.y),
            input: (SummedAreaSettings { scan, view_step: step, view_row: 0.75, padding, ..Default::default() }, free),
        };
        let all = Scan::ALL.iter().map(|scan| case(*scan, 32, whole, false));
        let covered = UVec2::new(660, 400);
        all.chain([case(Scan::Blelloch, 3, covered, false), case(Scan::HillisSteele, 0, covered, true)]).collect()
    }

    fn cpu((settings, free): &Self::Input) -> Vec<u32> {
        samples(settings, *free).into_iter().map(|(_, there)| there).collect()
    }

    fn gpu(bench: &mut TestBench, (settings, free): &Self::Input) -> anyhow::Result<Vec<u32>> {
        let context = context(bench, SIZE, &test_picture(SIZE))?;
        let texels = canvas_of(bench, SIZE, |frame, technique, picture| -> Result<()> {
            technique.keep_within(*free);
            let recorded = technique.view(frame, "scan", settings, &context, picture);
            technique.keep_within(UVec2::MAX);
            recorded
        })?;
        let pixel = |at: IVec2| {
            let at = at.clamp(IVec2::ZERO, IVec2::new(SIZE[0] as i32, SIZE[1] as i32) - 1);
            let [r, g, b, _] = texels[(at.y * SIZE[0] as i32 + at.x) as usize];
            [r, g, b]
        };
        let read = |sample: Sample| match sample {
            Sample::At(at) => nearest(pixel(at)),
            Sample::Line(places) => {
                // A line is as wide as a pixel or two: its middle may be next to the place.
                let around = |at: IVec2| (-1..2).any(|y| nearest(pixel(at + IVec2::new(0, y))) == WIRE);
                if places.into_iter().any(around) { WIRE } else { 0 }
            }
            Sample::Dots(from, to, zoom) => {
                let places = (from.y..to.y).flat_map(|y| (from.x..to.x).map(move |x| IVec2::new(x, y)));
                let white = places.filter(|at| pixel(*at) == [255; 3]).count() as u32;
                white / (zoom * zoom) as u32
            }
        };
        Ok(samples(settings, *free).into_iter().map(|(sample, _)| read(sample)).collect())
    }

    fn agree(_: &Self::Input, cpu: &Vec<u32>, gpu: &Vec<u32>) -> Verdict {
        let wrong = cpu.iter().zip(gpu).filter(|(a, b)| a != b).count() + cpu.len().abs_diff(gpu.len());
        Verdict::at_most("things that differ", wrong as f64, 0.0)
    }
}
