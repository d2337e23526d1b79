//! Comparison of the methods to make the chain on the current picture: time, bytes, ratio to the minimum, error.

use super::{
    builder::ChainBuilder,
    images::{chain_of, linear_view},
    pipelines::Recipe,
    pixel::ChainFormat,
    settings::MipChainSettings,
    tier::Filter,
    variants::{bytes_moved, methods, name_of, title_of},
};
use crate::{
    base::{
        difference::largest,
        stats,
        text::micros,
        timing::{FrameTiming, PassId},
    },
    gpu::{
        Buffer, ComputePipeline, Delayed, Frame, Gpu, Image, ImageView, Memory, ReadBack, Result, Sampler, Use,
        full_chain, mip_size,
    },
    gpu_struct,
    lab::{Alternative, Card, Cell, Column, Comparison, Goal, Probe, between_marks},
};
use std::sync::Arc;

gpu_struct! {
    struct ErrorPush { first: u32 }
}

/// A texel of the next levels covers too much of the picture for one invocation.
const LEVELS: u32 = 6;
const MARK: PassId = PassId::new("mip_chain/measure");
const MIB: f64 = 1024.0 * 1024.0;
const ERROR: PassId = PassId::new("mip_chain/error");
const FLOOR: &str = "floor";

const COLUMNS: [Column; 3] = [
    Column::new("x minimum", "Times as long as it takes to move the least data that any method must move"),
    Column::new("error", "Worst of the levels 1 to 6: root of the mean square, in steps of 1/255"),
    Column::new("MiB", "Bytes read and written"),
];

struct Run {
    chain: Image,
    probe: Probe,
    mark: Buffer,
    rounds: usize,
}

impl Run {
    fn new(gpu: &Arc<Gpu>, format: ChainFormat, size: [u32; 2]) -> Result<Self> {
        let [reads, writes] = bytes_moved(size, &MipChainSettings { format, ..Default::default() });
        Ok(Self {
            chain: chain_of(gpu, "measured chain", size, format, full_chain(size), &[Use::Color])?,
            probe: Probe::new(gpu, reads, writes)?,
            mark: Buffer::new(gpu, "mark", 4, Memory::Device)?,
            rounds: 0,
        })
    }
}

struct MethodVariant {
    /// With the method that the device uses.
    settings: MipChainSettings,
    requested: MipChainSettings,
    /// RMS of the worst level in steps of 1/255, once it is known.
    error: Option<f64>,
}

impl MethodVariant {
    fn alternative(&self) -> Alternative {
        let is_substitute = self.requested.method != self.settings.method;
        Alternative::new(name_of(&self.requested)).titled(title_of(&self.requested)).substitute(is_substitute)
    }
}

struct MethodResults {
    size: [u32; 2],
    format: ChainFormat,
    variants: Vec<MethodVariant>,
    floor_us: Vec<f64>,
}

pub(super) struct MethodComparison {
    error: ComputePipeline,
    pub comparison: Comparison,
    run: Option<Run>,
    /// By frame, the sums of the levels of some methods.
    pending: Delayed<Vec<(usize, ReadBack)>>,
    results: Option<MethodResults>,
}

impl MethodComparison {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let error = ComputePipeline::new(gpu, "mip_chain/error.comp", &[])?.with_push::<ErrorPush>()?;
        let comparison = Comparison::new(Goal::Fastest);
        Ok(Self { error, comparison, run: None, pending: Delayed::default(), results: None })
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        // Sums of an earlier frame may be of another size.
        let sums = self.pending.take(timing.frame).filter(|_| self.comparison.counts(timing.frame));
        let (Some(sums), Some(results)) = (sums, &mut self.results) else { return Ok(()) };
        let mips = full_chain(results.size);
        let places = places(results.size, mips);
        for (index, sums) in &sums {
            let sums = sums.read::<f32>()?;
            let rms = |(level, range): (u32, &[u32])| {
                let sum: f64 = sums[range[0] as usize..range[1] as usize].iter().map(|v| f64::from(*v)).sum();
                let texels: f64 = mip_size(results.size, level).into_iter().map(f64::from).product();
                (sum / (3.0 * texels)).sqrt() * 255.0
            };
            if let Some(variant) = results.variants.get_mut(*index) {
                variant.error = Some(largest((1..).zip(places.windows(2)).map(rms)));
            }
        }
        if timing.compiles {
            return Ok(());
        }
        let times = between_marks(timing, MARK, |pass| !ERROR.is(pass));
        let time = |name: &str| times.iter().find(|(of, _)| *of == name).map(|(_, us)| *us);
        results.floor_us.extend(time(FLOOR));
        let names: Vec<String> = self.comparison.alternatives().iter().map(|one| one.name.clone()).collect();
        for (index, name) in names.iter().enumerate() {
            self.comparison.add(timing.frame, index, time(name));
        }
        Ok(())
    }

    pub fn is_pending(&self) -> bool {
        self.comparison.is_active() || self.pending.is_pending()
    }

    pub fn card(&self) -> Card {
        let Some(results) = &self.results else {
            return Card { progress: self.comparison.progress(), ..Card::default() };
        };
        let floor = (!results.floor_us.is_empty()).then(|| stats::median(&mut results.floor_us.clone()));
        let cells = |index: usize, alternative: &Alternative| {
            let (times, variant) = (alternative.times(), results.variants.get(index));
            let ratio = times.zip(floor).filter(|(_, floor)| *floor > 0.0).map(|(us, floor)| us.median / floor);
            let moved =
                variant.map(|variant| bytes_moved(results.size, &variant.settings).iter().sum::<u64>() as f64 / MIB);
            vec![
                Cell::number(ratio, 1),
                Cell::number(variant.and_then(|variant| variant.error), 2),
                Cell::number(moved, 1),
            ]
        };
        let mut card = Card::of(&self.comparison, "method", &COLUMNS, cells);
        card.subject = format!("{}, {}", card.subject, results.format.title());
        card.answer = Some(self.comparison.verdict());
        for (row, variant) in card.tables.iter_mut().flat_map(|table| &mut table.rows).zip(&results.variants) {
            if variant.settings.method != variant.requested.method {
                row.title += " *";
            }
            row.name = variant.requested.method.name().into();
            row.sets = vec![
                ("filter", variant.requested.filter.name().into()),
                ("levels_per_dispatch", i64::from(variant.requested.levels_per_dispatch).into()),
            ];
        }
        card.notes.push(format!("The minimum here: {}.", floor.map_or("not known".into(), micros)));
        if results.variants.iter().any(|variant| variant.settings.filter == Filter::Tent) {
            card.notes.push("The error is against plain means: a tent blurs, which counts as one.".into());
        }
        if let Some(variant) =
            results.variants.iter().find(|variant| variant.settings.method != variant.requested.method)
        {
            let by = variant.settings.method.title();
            card.notes.push(format!("* This driver uses {by} instead; no part of the verdict."));
        }
        card
    }

    pub fn measure(
        &mut self,
        frame: &mut Frame,
        builder: &ChainBuilder,
        settings: &MipChainSettings,
        picture: &ImageView,
    ) -> Result<()> {
        if !self.comparison.is_active() {
            self.run = None;
            return Ok(());
        }
        let (size, format) = (picture.size(), settings.format);
        let old = self.run.take();
        let fits = |run: &Run| run.chain.size() == size && builder.format_of(&run.chain) == format;
        let mut run = match old.filter(fits) {
            Some(run) => run,
            None => Run::new(frame.gpu(), format, size)?,
        };
        let requested = methods(format, settings);
        let variant = |requested: MipChainSettings| {
            let settings = MipChainSettings { levels: 16, ..builder.effective_settings(&requested, &run.chain) };
            MethodVariant { settings, requested, error: None }
        };
        let variants: Vec<MethodVariant> = requested.into_iter().map(variant).collect();
        let alternatives = variants.iter().map(MethodVariant::alternative).collect();
        let key = format!("{}x{} {}", size[0], size[1], format.name());
        if self.comparison.begin(frame.number(), &key, alternatives) {
            run.rounds = 0;
            self.results = Some(MethodResults { size, format, variants, floor_us: Vec::new() });
        }
        let done = self.record_round(frame, builder, picture, &mut run);
        self.run = Some(run);
        done
    }

    /// Each round begins with another method: none always follows the same one.
    fn record_round(
        &mut self,
        frame: &mut Frame,
        builder: &ChainBuilder,
        picture: &ImageView,
        run: &mut Run,
    ) -> Result<()> {
        let Some(results) = &self.results else { return Ok(()) };
        let (size, format) = (results.size, results.format);
        if run.rounds == 0 {
            let shader = format!("mip_chain/linear.comp:{}", format.variant());
            let linear = builder.pipelines.get(Recipe { shader, constants: format.constants(), subgroup: None })?;
            let picture = linear_view(picture, format);
            let top = run.chain.mip(0).as_format(format.stored());
            frame.compute("mip_chain/linear", &linear).bind("picture", picture).bind("level", top).dispatch(size)?;
        }
        frame.fill(MARK.part(FLOOR), &run.mark, 0)?;
        run.probe.record(frame)?;
        let mut reads = Vec::new();
        for turn in 0..results.variants.len() {
            let index = (turn + run.rounds) % results.variants.len();
            let variant = &results.variants[index];
            frame.fill(MARK.part(name_of(&variant.requested)), &run.mark, 0)?;
            builder.levels(frame, &variant.settings, &run.chain, None)?;
            if run.rounds > 0 {
                continue;
            }
            let places = places(size, run.chain.mips());
            let all = u64::from(places[places.len() - 1].max(1));
            let sums = Buffer::new(frame.gpu(), "mip chain errors", all * 4, Memory::Device)?;
            for (level, first) in (1..).zip(&places[..places.len() - 1]) {
                let nearest = |level| run.chain.mip(level).through(Sampler::NearestClamp);
                let pass = frame.compute(ERROR, &self.error).bind("top", nearest(0));
                let pass = pass.bind("level", nearest(level)).bind("Sums", &sums).push(&ErrorPush { first: *first });
                pass.dispatch(mip_size(size, level))?;
            }
            if places.len() > 1 {
                reads.push((index, frame.read_buffer(&sums)?));
            }
        }
        frame.fill(MARK.part("end"), &run.mark, 0)?;
        self.pending.put(frame.number(), reads);
        run.rounds += 1;
        Ok(())
    }
}

fn groups(size: [u32; 2], level: u32) -> [u32; 2] {
    mip_size(size, level).map(|n| n.div_ceil(8))
}

/// Offset of each level's sums, and their total number.
fn places(size: [u32; 2], levels: u32) -> Vec<u32> {
    let mut places = vec![0];
    for level in 1..levels.min(LEVELS + 1) {
        let [x, y] = groups(size, level);
        places.push(places[places.len() - 1] + x * y);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::timing::PassTiming,
        lab::Progress,
        techniques::{
            Technique,
            mip_chain::{Method, MipChain},
        },
    };
    use std::time::Instant;

    /// The floor took 5 us and two methods 10 and 150 us, errors and marks not counted.
    #[test]
    fn every_figure_is_in_its_row_and_column() {
        let gpu = Gpu::headless(true).unwrap();
        let messages = gpu.messages();
        let mut technique = MipChain::new(&gpu).unwrap();
        let settings = MipChainSettings::default();
        let requested = methods(ChainFormat::Rgba16F, &settings);
        let comparison = &mut technique.comparison;
        comparison.comparison.request(Instant::now());
        comparison.comparison.set_subject(0, "1024 x 512 px");
        let variant = |requested: MipChainSettings| {
            let error = (name_of(&requested) == "per_level box").then_some(0.25);
            let stands_in = if requested.method == Method::Strips { Method::Raster } else { requested.method };
            MethodVariant { settings: MipChainSettings { method: stands_in, ..requested.clone() }, requested, error }
        };
        let variants: Vec<MethodVariant> = requested.into_iter().map(variant).collect();
        comparison.comparison.begin(0, "", variants.iter().map(MethodVariant::alternative).collect());
        comparison.results =
            Some(MethodResults { size: [1024, 512], format: ChainFormat::Rgba16F, variants, floor_us: Vec::new() });
        let pass = |name: &str, from: f64, us: f64| PassTiming {
            name: name.into(),
            gpu_start_us: Some(from),
            gpu_us: Some(us),
            ..PassTiming::default()
        };
        let passes = vec![
            pass("mip_chain/linear", 0.0, 700.0),
            pass("mip_chain/measure floor", 700.0, 1.0),
            pass("probe", 701.0, 5.0),
            pass("mip_chain/measure per_level box", 710.0, 1.0),
            pass("mip_chain/level 1", 720.0, 4.0),
            pass("mip_chain/level 2", 726.0, 4.0),
            pass(ERROR.as_ref(), 740.0, 300.0),
            pass("mip_chain/measure ladder 3 box", 1100.0, 1.0),
            pass("mip_chain/ladder", 1110.0, 150.0),
            pass("mip_chain/measure end", 1300.0, 1.0),
        ];
        for (frame, compiles) in [(0, true), (1, false)] {
            technique.comparison.pending.put(frame, vec![]);
            let timing = FrameTiming { frame, compiles, passes: passes.clone(), ..FrameTiming::default() };
            technique.on_timing(&timing).unwrap();
        }
        let card = technique.card();
        assert_eq!((card.subject.as_str(), card.tables.len()), ("1024 x 512 px, RGBA16F", 1));
        assert!(card.notes.contains(&"The minimum here: 5.00 µs.".to_owned()), "{:?}", card.notes);
        assert!(card.notes.iter().any(|note| note.contains("uses Raster instead")), "{:?}", card.notes);
        let table = &card.tables[0];
        let heads: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        assert_eq!(heads, ["method", "time", "quartiles", "x minimum", "error", "MiB"]);
        let row = |title: &str| {
            let row = table.rows.iter().find(|row| row.title == title);
            row.unwrap_or_else(|| panic!("{title}: {table:?}"))
        };
        let texts = |row: &crate::lab::CardRow| row.cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(row("Per level, box")), ["10.0 µs", "10.0 to 10.0 µs", "2.0", "0.25", "6.7"]);
        assert_eq!(texts(row("Ladder 3, box"))[2..4], ["30.0", "—"], "the frame that compiled does not count");
        assert_eq!(texts(row("Blits"))[..4], ["—"; 4]);
        assert_eq!(row("Strips, tent *").name, "strips");
        assert_eq!(row("Ladder 3, box").sets, [("filter", "box".into()), ("levels_per_dispatch", 3.into())]);
        assert!(matches!(card.progress, Progress::Running { .. }) && technique.wants_frame());
        drop((technique, gpu));
        assert_eq!(messages.all(), Vec::<String>::new());
    }
}
