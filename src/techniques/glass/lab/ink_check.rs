//! Check of the ink on glass: its measured contrast, the vote, and that marks are drawn where they belong and nowhere else.

use super::checks::{Pixels, bytes, painted, test_picture};
use super::reference::ink::contrasts;
use super::reference::picture::{Level, Picture};
use crate::ink::{InkState, Inks};
use glam::{UVec2, Vec2, Vec3};
use gpu::{Format, Gpu, ImageDesc, Use};
use lab::{Case, Effort, Property, TestBench, Verdict};
use scene::motif::{Figure, Ink, Mark};
use scene::picture::{Face, Motif, Style};

const SIZE: UVec2 = UVec2::new(320, 200);
/// Half a bin of the histogram, and rounding: 2^(4.39 / 256 / 2) is 1.006.
const BIN: f64 = 0.013;
/// Contrast by which one ink has to be better than the other to win from the other side.
const BETTER: f32 = 1.2;

pub struct Inked {
    picture: Picture,
    marks: Vec<Mark>,
    legible: bool,
}

pub struct InkSeen {
    /// What the marks are over, with its veils.
    ground: Pixels,
    drawn: Pixels,
    states: Vec<InkState>,
    areas: Vec<([u32; 4], u32)>,
}

fn line(piece: u32, text: &'static str, at: Vec2) -> Mark {
    Mark { piece, ink: Ink::Voted, alpha: 1.0, figure: Figure::text(text, 22.0, at, 0.0), pivot: at, grow: 1.0 }
}

fn marks() -> Vec<Mark> {
    let fill = Figure::filled(Vec2::new(20.0, 150.0), Vec2::new(120.0, 180.0), 12.0);
    let boxed = Mark { ink: Ink::Fixed([0.2, 0.5, 0.9]), figure: fill, ..line(3, "", Vec2::ZERO) };
    let icon = Figure::Icon { icon: 4, middle: Vec2::new(200.0, 165.0), half: 15.0 };
    let veiled = |piece: u32, low: [f32; 2], high: [f32; 2]| Mark {
        ink: Ink::Veil,
        figure: Figure::filled(Vec2::from(low), Vec2::from(high), 3.0),
        ..line(piece, "", Vec2::ZERO)
    };
    vec![
        veiled(0, [0.0, 10.0], [200.0, 60.0]),
        veiled(1, [60.0, 70.0], [300.0, 120.0]),
        line(0, "Left and dark?", Vec2::new(12.0, 40.0)),
        line(1, "Across all of it", Vec2::new(90.0, 100.0)),
        Mark { grow: 1.3, ..line(2, "Beyond", Vec2::new(260.0, 60.0)) },
        boxed,
        Mark { figure: icon, ..line(4, "", Vec2::ZERO) },
    ]
}

pub struct InkOracle;

impl Property for InkOracle {
    const NAME: &'static str = "ink";
    const HAS_REFERENCE: bool = true;
    type Input = Inked;
    type Output = InkSeen;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Inked>> {
        let plain = |light: f32| Picture::new(Level::filled(SIZE, Vec3::splat(light)));
        let all = [
            ("the test picture", test_picture(SIZE), false),
            ("white", plain(1.0), false),
            ("black", plain(0.0), false),
            ("grey", plain(0.5), false),
            ("the test picture, legible", test_picture(SIZE), true),
            ("paper", painted(Motif::Paper, SIZE), false),
            ("dusk, legible", painted(Motif::Dusk, SIZE), true),
        ];
        let case = |(name, picture, legible): &(&str, Picture, bool)| {
            Case::new(*name, Inked { picture: picture.clone(), marks: marks(), legible: *legible })
        };
        effort.of(&all, 5).iter().map(case).collect()
    }

    fn run(bench: &mut TestBench, input: &Inked) -> anyhow::Result<InkSeen> {
        let size = SIZE.to_array();
        let texels = bytes(&input.picture.encoded);
        let uses = [Use::Color, Use::Sample];
        let ground = bench.image(ImageDesc::new("ground", size, Format::Rgba8, &uses), &texels)?.mip(0);
        let target = bench.image(ImageDesc::new("target", size, Format::Rgba8, &[Use::Color]), &texels)?.mip(0);
        let mut inks = Inks::new(bench.gpu())?;
        bench.run(|frame| {
            inks.vote(frame, &input.marks, input.legible, &ground)?;
            frame.copy("ground", &ground, &target)?;
            inks.draw(frame, &target)
        })?;
        let states = bench.read_buffer(inks.states())?;
        Ok(InkSeen { ground: bench.read(&ground)?, drawn: bench.read(&target)?, states, areas: inks.areas() })
    }

    fn verdict(input: &Inked, seen: &InkSeen) -> Verdict {
        let (plain, before) = (bytes(&input.picture.encoded), &seen.ground);
        let at = |x: u32, y: u32| (y * SIZE.x + x) as usize;
        let (mut off, mut turned, mut inked, mut wrong) = (0.0_f64, 0, 0, 0);
        let (mut least, mut needless) = (f64::INFINITY, 0);
        for ([left, top, right, bottom], piece) in &seen.areas {
            let pixels: Vec<_> = (*top..*bottom).flat_map(|y| (*left..*right).map(move |x| (x, y))).collect();
            let below: Vec<_> = pixels.iter().map(|(x, y)| before[at(*x, *y)]).collect();
            let [of_light, of_dark] = contrasts(&below);
            let state = &seen.states[*piece as usize];
            for (exact, found) in [(of_light, state.of_light), (of_dark, state.of_dark)] {
                off = off.max(f64::from((found / exact - 1.0).abs()));
            }
            let plain_below: Vec<_> = pixels.iter().map(|(x, y)| plain[at(*x, *y)]).collect();
            let [light, dark] = contrasts(&plain_below);
            let is_clear = (light / dark).ln().abs() > BETTER.ln() + BIN as f32;
            let wants_light = light > dark;
            let [now, was] = if state.side > 0.5 { [of_light, light] } else { [of_dark, dark] };
            // Pieces 0 and 1 have a veil.
            if input.legible && *piece < 2 {
                least = least.min(f64::from(now));
                needless += usize::from(was > 4.7 && plain_below != below);
            }
            turned += usize::from(is_clear && (state.side > 0.5) != wants_light || state.light != state.side);
            let ink = if state.side > 0.5 { [255.0; 3] } else { [16.0, 16.0, 19.0] };
            let Some(Mark { figure: Figure::Text { text, size, at: place, .. }, grow: 1.0, .. }) =
                input.marks.iter().find(|mark| mark.piece == *piece && mark.ink == Ink::Voted)
            else {
                continue;
            };
            let Some(letters) = Face::new(Style::Light).line(text, *size, 0.0, *place).0.coverage(SIZE.to_array())
            else {
                continue;
            };
            for (index, part) in letters.values.iter().enumerate() {
                let pixel = at(letters.x + (index % letters.width) as u32, letters.y + (index / letters.width) as u32);
                let wanted = (0..3).map(|c| f32::from(before[pixel][c]) * (1.0 - part) + ink[c] * part);
                let apart = wanted.zip(seen.drawn[pixel]).map(|(wanted, found)| (wanted - f32::from(found)).abs());
                // The mask and the result are rounded to a step each.
                wrong += usize::from(apart.fold(0.0, f32::max) > 1.6);
                inked += usize::from(*part > 0.9);
            }
        }
        // Marks without a vote, with their soft edge.
        let beyond = [[19, 149, 121, 181], [184, 149, 217, 182]];
        let covered = seen.areas.iter().map(|(area, _)| *area).chain(beyond).collect::<Vec<[u32; 4]>>();
        let is_within =
            |x: u32, y: u32| covered.iter().any(|[l, t, r, b]| (*l..*r).contains(&x) && (*t..*b).contains(&y));
        let places = (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| (x, y)));
        let strayed =
            places.filter(|(x, y)| !is_within(*x, *y) && seen.drawn[at(*x, *y)] != before[at(*x, *y)]).count();
        let middle = seen.drawn[at(70, 165)];
        let boxed = [51, 128, 230].iter().zip(middle).all(|(wanted, found)| found.abs_diff(*wanted) <= 1);
        Verdict::at_least("pieces", seen.areas.len() as f64, 4.0)
            .and_at_most("relative error of the contrast", off, BIN)
            .and_none("wrong votes", turned)
            .and(Verdict::at_least("contrast with veils", least.min(99.0), 4.5))
            .and_none("needless veils", needless)
            .and(Verdict::at_least("pixels of pure ink", inked as f64, 100.0))
            .and_none("pixels of letters that differ", wrong)
            .and_none("changed pixels outside", strayed)
            .and(Verdict::that(boxed, format!("the box is {middle:?}")))
    }
}
