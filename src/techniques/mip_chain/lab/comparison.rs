//! Comparison of the methods to make the chain on the current picture: time, bytes, ratio to the minimum, error.

use super::variants::{bytes_moved, methods, name_of, title_of};
use crate::{MipChain, images::chain_of, pixel::ChainFormat, settings::MipChainSettings, tier::Filter};
use base::timing::{FrameTiming, PassId};
use gpu::{
    Buffer, ComputePipeline, Frame, Image, ImageView, Memory, PipelineCache, ReadBack, Result, Sampler, Use,
    full_chain, gpu_struct, mip_size,
};
use lab::{Alternative, Card, Cell, Column, Rounds};
use media::difference::largest;

gpu_struct! {
    struct ErrorPush { first: u32 }
}

/// A texel of the next levels covers too much of the picture for one invocation.
const LEVELS: u32 = 6;
const MARK: PassId = PassId::new("mip_chain/measure");
const ERROR: PassId = PassId::new("mip_chain/error");

const COLUMNS: [Column; 2] = [
    Column::new("error", "Worst of the levels 1 to 6: root of the mean square, in steps of 1/255"),
    Column::new("MiB", "Bytes read and written"),
];

struct MethodVariant {
    /// With the method that the device uses.
    settings: MipChainSettings,
    requested: MipChainSettings,
}

impl MethodVariant {
    fn is_substitute(&self) -> bool {
        self.requested.method != self.settings.method
    }

    fn alternative(&self) -> Alternative {
        Alternative::new(name_of(&self.requested)).titled(title_of(&self.requested)).substitute(self.is_substitute())
    }
}

struct Methods {
    size: [u32; 2],
    format: ChainFormat,
    variants: Vec<MethodVariant>,
}

pub struct MethodComparison {
    error: PipelineCache<()>,
    pub rounds: Rounds,
    chain: Option<Image>,
    methods: Option<Methods>,
}

impl Default for MethodComparison {
    fn default() -> Self {
        Self { error: PipelineCache::default(), rounds: Rounds::new(MARK, ERROR), chain: None, methods: None }
    }
}

impl MethodComparison {
    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        let Some(Methods { size, .. }) = self.methods else { return Ok(()) };
        let places = places(size, full_chain(size));
        self.rounds.on_timing(timing, &|sums| {
            let sums = sums.read::<f32>()?;
            let rms = |(level, range): (u32, &[u32])| {
                let sum: f64 = sums[range[0] as usize..range[1] as usize].iter().map(|v| f64::from(*v)).sum();
                let texels: f64 = mip_size(size, level).into_iter().map(f64::from).product();
                (sum / (3.0 * texels)).sqrt() * 255.0
            };
            Ok(Some(largest((1..).zip(places.windows(2)).map(rms))))
        })
    }

    pub fn card(&self) -> Card {
        let Some(Methods { size, format, variants }) = &self.methods else {
            return Card { progress: self.rounds.comparison.progress(), ..Card::default() };
        };
        let mut card = self.rounds.card(&COLUMNS, &|index, error| {
            let moved = |variant: &MethodVariant| bytes_moved(*size, &variant.settings).iter().sum();
            vec![Cell::number(error, 2), Cell::mib(variants.get(index).map(moved))]
        });
        card.subject = format!("{}, {}", card.subject, format.title());
        for (row, variant) in card.tables.iter_mut().flat_map(|table| &mut table.rows).zip(variants) {
            if variant.is_substitute() {
                row.title += " *";
            }
            row.name = variant.requested.method.name().into();
            row.sets = vec![
                ("filter", variant.requested.filter.name().into()),
                ("levels_per_dispatch", i64::from(variant.requested.levels_per_dispatch).into()),
            ];
        }
        if variants.iter().any(|variant| variant.settings.filter == Filter::Tent) {
            card.notes.push("The error is against plain means: a tent blurs, which counts as one.".into());
        }
        if let Some(variant) = variants.iter().find(|variant| variant.is_substitute()) {
            let by = variant.settings.method.title();
            card.notes.push(format!("* This driver uses {by} instead; no part of the verdict."));
        }
        card
    }

    pub fn measure(
        &mut self,
        technique: &MipChain,
        frame: &mut Frame,
        settings: &MipChainSettings,
        picture: &ImageView,
    ) -> Result<()> {
        let builder = &technique.builder;
        if !self.rounds.goes_on() {
            self.chain = None;
            return Ok(());
        }
        let (size, format) = (picture.size(), settings.format);
        let fits = |chain: &Image| chain.size() == size && builder.format_of(chain) == format;
        let chain = match self.chain.take().filter(fits) {
            Some(chain) => chain,
            None => chain_of(frame.gpu(), "measured chain", size, format, full_chain(size), &[Use::Color])?,
        };
        let variant = |requested: MipChainSettings| {
            let settings = MipChainSettings { levels: 16, ..builder.effective_settings(&requested, &chain) };
            MethodVariant { settings, requested }
        };
        let variants: Vec<MethodVariant> = methods(format, settings).into_iter().map(variant).collect();
        let alternatives = variants.iter().map(MethodVariant::alternative).collect();
        let key = format!("{}x{} {}", size[0], size[1], format.name());
        let least = bytes_moved(size, &MipChainSettings { format, ..Default::default() });
        if self.rounds.begin(frame, &key, alternatives, least)? {
            self.methods = Some(Methods { size, format, variants });
        }
        let chain = self.chain.insert(chain);
        let Some(Methods { variants, .. }) = &self.methods else { return Ok(()) };
        let is_first = self.rounds.is_first();
        if is_first {
            builder.decode(frame, picture, chain)?;
        }
        let gpu = frame.gpu().clone();
        let error = &self
            .error
            .get((), |()| ComputePipeline::new(&gpu, "mip_chain/error.comp", &[])?.with_push::<ErrorPush>())?;
        self.rounds.record(frame, &mut |frame, index| {
            builder.levels(frame, &variants[index].settings, chain, None)?;
            if is_first { sums_of_errors(frame, error, chain) } else { Ok(None) }
        })
    }
}

/// Of the levels, each 8 by 8 texels; `None` for a chain without levels below the picture.
fn sums_of_errors(frame: &mut Frame, error: &ComputePipeline, chain: &Image) -> Result<Option<ReadBack>> {
    let places = places(chain.size(), chain.mips());
    let Some((all, firsts)) = places.split_last().filter(|(_, firsts)| !firsts.is_empty()) else { return Ok(None) };
    let sums = Buffer::new(frame.gpu(), "mip chain errors", u64::from(*all) * 4, Memory::Device)?;
    for (level, first) in (1..).zip(firsts) {
        let nearest = |level| chain.mip(level).through(Sampler::NearestClamp);
        let pass = frame.compute(ERROR, error).bind("top", nearest(0)).bind("level", nearest(level));
        pass.bind("Sums", &sums).push(&ErrorPush { first: *first }).dispatch(mip_size(chain.size(), level))?;
    }
    Ok(Some(frame.read_buffer(&sums)?))
}

/// Offset of each level's sums, and their total number.
fn places(size: [u32; 2], levels: u32) -> Vec<u32> {
    let mut places = vec![0];
    for level in 1..levels.min(LEVELS + 1) {
        let [x, y] = mip_size(size, level).map(|n| n.div_ceil(8));
        places.push(places[places.len() - 1] + x * y);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Method;
    use lab::{Progress, pass};
    use std::time::Instant;

    /// The floor took 5 us and two methods 10 and 150 us, errors and marks not counted.
    #[test]
    fn every_figure_is_in_its_row_and_column() {
        let mut state = MethodComparison::default();
        let settings = MipChainSettings::default();
        let requested = methods(ChainFormat::Rgba16F, &settings);
        let rounds = &mut state.rounds;
        rounds.comparison.request(Instant::now());
        rounds.comparison.set_subject(0, "1024 x 512 px");
        let variant = |requested: MipChainSettings| {
            let stands_in = if requested.method == Method::Strips { Method::Raster } else { requested.method };
            MethodVariant { settings: MipChainSettings { method: stands_in, ..requested.clone() }, requested }
        };
        let variants: Vec<MethodVariant> = requested.into_iter().map(variant).collect();
        rounds.comparison.begin(0, "", variants.iter().map(MethodVariant::alternative).collect());
        let error = |variant: &MethodVariant| (name_of(&variant.requested) == "per_level box").then_some(0.25);
        rounds.errors = variants.iter().map(error).collect();
        state.methods = Some(Methods { size: [1024, 512], format: ChainFormat::Rgba16F, variants });
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
            state.rounds.reads.put(frame, vec![]);
            let timing = FrameTiming { frame, compiles, passes: passes.clone(), ..FrameTiming::default() };
            state.on_timing(&timing).unwrap();
        }
        let card = state.card();
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
        let texts = |row: &lab::CardRow| row.cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(row("Per level, box")), ["10.0 µs", "10.0 to 10.0 µs", "2.0", "0.25", "6.7"]);
        assert_eq!(texts(row("Ladder 3, box"))[2..4], ["30.0", "—"], "the frame that compiled does not count");
        assert_eq!(texts(row("Blits"))[..4], ["—"; 4]);
        assert_eq!(row("Strips, tent *").name, "strips");
        assert_eq!(row("Ladder 3, box").sets, [("filter", "box".into()), ("levels_per_dispatch", 3.into())]);
        assert!(matches!(card.progress, Progress::Running { .. }) && state.rounds.is_pending());
    }
}
