//! Check of incremental drawing: the first picture of a world, drawn by small parts, equals the one drawn at once; nothing of it is shown
//! before it is complete.

use super::antialias::{Pixels, Stage};
use base::timing::{FrameTiming, PassTiming};
use gpu::Gpu;
use lab::{Case, Effort, Property, TestBench, Verdict, words_apart};
use media::difference::largest;
use reflections::Trace;
use scene::AntialiasMode;
use shade::By;

const ENDLESS: usize = 100;
/// Degrees.
const TURN: f32 = 40.0;
const SIZE: [u32; 2] = [131, 75];

pub struct First;

#[derive(Default)]
pub struct FrameSequence {
    at_once: Pixels,
    by_parts: Vec<Pixels>,
    /// In small steps, with what the first picture left out.
    next_by_parts: Vec<Pixels>,
    /// Instance, meshlet and triangle.
    ids: [Vec<u32>; 3],
    parts: Vec<f32>,
    splits: bool,
}

impl FrameSequence {
    /// Pixels that see another triangle, and the largest difference of the others in a channel, of 255. Either of two
    /// coincident triangles may be visible.
    fn differences(shown: &Pixels, wanted: &Pixels, [a, b]: [&[u32]; 2]) -> (usize, f64) {
        let others = words_apart(a, b);
        let same = shown.iter().zip(wanted).zip(a.iter().zip(b)).filter(|(_, (a, b))| a == b);
        (others, largest(same.map(|((shown, wanted), _)| f64::from((*shown - *wanted).abs().max_element()))))
    }
}

impl Property for First {
    const NAME: &'static str = "first picture";
    /// Order of shading; whether mirrors are traced; whether the sun moves meanwhile; frame time in seconds.
    type Input = (By, bool, bool, f32);
    type Output = FrameSequence;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let (slow, quick) = (0.6, 0.1);
        let all = [(By::List, false, false, slow), (By::Raster, true, false, quick), (By::List, false, true, slow)];
        let name = |(by, mirrors, turns, s)| {
            format!("{by:?}, mirrors traced: {mirrors}, another sun meanwhile: {turns}, frames of {s} s")
        };
        all.map(|input| Case::new(name(input), input)).into()
    }

    fn run(bench: &mut TestBench, (by, mirrors, turns, seconds): &Self::Input) -> anyhow::Result<FrameSequence> {
        let mut seen = FrameSequence { splits: bench.gpu().policy().has_old_compiler, ..Default::default() };
        for by_parts in [false, true] {
            let mut stage = Stage::new(bench, SIZE, AntialiasMode::Temporal)?;
            stage.settings.shade.by = *by;
            stage.settings.reflections.trace = if *mirrors { Trace::On } else { Trace::Off };
            if !by_parts {
                seen.at_once = stage.frame(bench)?;
                seen.ids[0] = stage.ids(bench)?;
                anyhow::ensure!(stage.renderer.beginning().is_none(), "it is drawn");
                continue;
            }
            stage.is_incremental = true;
            let sun = stage.settings.scene.sun_direction;
            stage.settings.scene.sun_direction -= if *turns { TURN } else { 0.0 };
            loop {
                seen.by_parts.push(stage.frame(bench)?);
                let pass = PassTiming { gpu_us: Some(1e6 * f64::from(*seconds)), ..Default::default() };
                stage.renderer.on_timing(&FrameTiming { passes: vec![pass], ..Default::default() })?;
                let Some(part) = stage.renderer.beginning() else { break };
                anyhow::ensure!(stage.renderer.is_incremental() && seen.parts.len() < ENDLESS, "it never ends");
                seen.parts.push(part);
                if *turns && part > 0.5 {
                    stage.settings.scene.sun_direction = sun;
                }
            }
            anyhow::ensure!(!stage.renderer.is_incremental(), "it is whole");
            seen.ids[1] = stage.ids(bench)?;
            loop {
                seen.next_by_parts.push(stage.frame(bench)?);
                anyhow::ensure!(
                    stage.renderer.beginning().is_none() && seen.next_by_parts.len() < ENDLESS,
                    "the second one never ends"
                );
                if !stage.renderer.is_incremental() {
                    break;
                }
            }
            seen.ids[2] = stage.ids(bench)?;
        }
        Ok(seen)
    }

    fn verdict((.., turns, seconds): &Self::Input, seen: &FrameSequence) -> Verdict {
        let Some((last, before)) = seen.by_parts.split_last() else {
            return Verdict::that(false, "nothing was drawn");
        };
        // Shadow, visibility, sky and light. With fast frames each takes twice as many steps.
        let is_slow = *seconds > 0.5;
        let frames = if is_slow { 5..=12 } else { 3..=8 };
        // Where each kind of material has a pass, the second picture has ten more; the first has one for all.
        let of_second = if is_slow { if seen.splits { 12.0 } else { 2.0 } } else { 1.0 };
        let rises = seen.parts.windows(2).all(|two| two[0] <= two[1]);
        let text = format!("{} frames ({frames:?}), {:?}", seen.by_parts.len(), seen.parts);
        let differs = |a: &Pixels, b: &Pixels| words_apart(a, b);
        let early = before.iter().filter(|shown| differs(shown, &before[0]) != 0).count();
        let [at_once, first, second] = &seen.ids;
        let (others, wrong) = FrameSequence::differences(last, &seen.at_once, [at_once, first]);
        // The first sample of each pixel again; meanwhile the first picture is shown.
        let (next, between) = seen.next_by_parts.split_last().unwrap_or((last, &[]));
        let (next_others, next_wrong) = FrameSequence::differences(next, &seen.at_once, [at_once, second]);
        let torn = between.iter().filter(|shown| differs(shown, last) != 0).count();
        Verdict::that(frames.contains(&seen.by_parts.len()) && (rises || *turns), text)
            .and_none("frames that show something of it before", early)
            // Observed: worst 1 (Mesa 25.0.7).
            .and_at_most("pixels that see another triangle", others as f64, 3.0)
            // Derived: it is not accumulated. That takes the light to a curve and back and rounds it to half floats, by a part of 2^-11: less than a step.
            .and_at_most("largest other difference", wrong, 1.0)
            .and_at_most("pixels of the second that see another triangle", next_others as f64, 3.0)
            .and_at_most("largest other difference of the second", next_wrong, 0.0)
            .and_none("frames between that show something else", torn)
            .and(Verdict::at_least("frames of the second", between.len() as f64, of_second))
            .and_none("whole before it was said", usize::from(differs(&before[0], last) == 0))
    }
}
