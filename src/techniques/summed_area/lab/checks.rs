//! Checks of the tables: every method over every awkward size, repeatability, and workgroups that post nothing.

use super::{
    reference::{Plane, WORST_SUM, worst_sum},
    scan_checks::{noise, run_shared, shared_technique, upload},
    scan_reference::segmented,
};
use crate::{
    passes::{
        methods::TableBuffers,
        scan::{Array, Scan, TILE, bytes_for},
    },
    pipelines::{EPOCHS, PostFormat, ShaderFeatures},
    settings::SummedAreaSettings,
    table::{Method, Numbers, Precision, Source, Table},
    technique::SummedArea,
};
use gpu::{Buffer, Gpu, Memory};
use lab::{Case, Effort, Property, Reference, TestBench, Verdict, words_apart};
use std::sync::Mutex;

pub struct Tables;

pub struct TableCase {
    size: [u32; 2],
    settings: SummedAreaSettings,
    features: Option<ShaderFeatures>,
    channels: u32,
}

/// All 32 bits, or 8 for tables of floats.
pub(super) fn numbers(size: [u32; 2], channel: u32, precision: Precision) -> Plane {
    let noise = noise((size[0] * size[1]) as usize, size[0] ^ size[1] << 8 ^ channel << 16);
    let shift = match precision {
        Precision::U32 => 0,
        // Their sum has more than 32 bits, and the mean must not lose them.
        Precision::MeanOffset => 12,
        _ => 24,
    };
    Plane { size: size.map(|n| n as usize), numbers: noise.into_iter().map(|word| word >> shift).collect() }
}

/// Rows begin at a multiple of four words, and the padding is not zero.
pub(super) fn source_of(bench: &mut TestBench, planes: &[Plane]) -> anyhow::Result<Source> {
    let size = planes[0].size;
    let pitch = size[0].next_multiple_of(4);
    let mut words = vec![0xDEAD_BEEF; pitch * size[1] * planes.len()];
    for (row, line) in words.chunks_exact_mut(pitch).enumerate() {
        let plane = &planes[row / size[1]];
        let from = row % size[1] * size[0];
        line[..size[0]].copy_from_slice(&plane.numbers[from..from + size[0]]);
    }
    let words = upload(bench, &words)?;
    let (pitch, plane) = (pitch as u32, (pitch * size[1]) as u32);
    let numbers = Numbers::Words { words, pitch, plane, channels: planes.len() as u32 };
    Ok(Source::of(numbers, size.map(|n| n as u32), 1.0 / 255.0))
}

/// Without the padding between rows.
pub(super) fn read_table(bench: &mut TestBench, table: &Table) -> anyhow::Result<Vec<Vec<u32>>> {
    let layout = &table.layout;
    // The buffer is as large as the largest table made in it.
    let words = bench.run(|frame| frame.read_beginning(&table.words, layout.bytes()))?.read::<u32>()?;
    let [w, h] = layout.size.map(|n| n as usize);
    let plane = |at: usize| {
        let rows = words[at * layout.plane as usize..].chunks(layout.pitch as usize).take(h);
        rows.flat_map(|row| &row[..w]).copied().collect()
    };
    Ok((0..layout.planes as usize).map(plane).collect())
}

fn lesser(gpu: &Gpu) -> Vec<(&'static str, ShaderFeatures)> {
    let all = ShaderFeatures::of(gpu);
    let mut features = vec![
        ("no shuffles", ShaderFeatures { lanes: None, ..all }),
        ("no memory model", ShaderFeatures { words: PostFormat::Old, ..all }),
        ("no memory model, no shuffles", ShaderFeatures { words: PostFormat::Old, lanes: None, ..all }),
    ];
    // With the model where the device can be trusted with it.
    if all.words != PostFormat::Old {
        features.push(("32-bit posts", ShaderFeatures { words: PostFormat::Narrow, ..all }));
        features.push(("32-bit posts, no shuffles", ShaderFeatures { words: PostFormat::Narrow, lanes: None, ..all }));
    }
    features
}

// Longer than ten seconds: every method and precision is compiled for itself.
impl Reference for Tables {
    const NAME: &'static str = "tables";
    type Input = TableCase;
    type Output = Vec<Vec<u32>>;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<TableCase>> {
        let mut sizes: Vec<[u32; 2]> =
            vec![[1, 1], [1, 130], [130, 1], [31, 33], [128, 64], [257, 129], [4231, 3], [3, 4231]];
        // The last two are several times longer than what any method takes at once.
        if effort == Effort::Full {
            sizes.extend((2..130).step_by(3).flat_map(|n| [[n, 131 - n], [n, n]]));
            sizes.extend([
                [127, 65],
                [129, 63],
                [300, 200],
                [640, 360],
                [1023, 130],
                [130, 1023],
                [2049, 3],
                [3, 2049],
                [1919, 1079],
                [3840, 2160],
            ]);
            if !gpu.policy().is_slow {
                sizes.push([7680, 4320]);
            }
        }
        let mut cases = Vec::new();
        let mut add = |name: String,
                       size: [u32; 2],
                       settings: SummedAreaSettings,
                       features: Option<ShaderFeatures>,
                       channels: u32| {
            let name = format!("{name} {}x{}", size[0], size[1]);
            cases.push(Case::new(name, TableCase { size, settings, features, channels }));
        };
        for &method in Method::ALL {
            for &size in &sizes {
                let padding = size[0] % 2 == 1;
                let settings = SummedAreaSettings { method, padding, ..Default::default() };
                add(method.name().into(), size, settings, None, 1);
            }
            let settings = SummedAreaSettings { method, ..Default::default() };
            add(format!("{}, 4 planes", method.name()), [150, 70], settings.clone(), None, 4);
            let both = [Method::SinglePass, Method::Doubling].contains(&method);
            for precision in [Precision::F32, Precision::HalfOffset, Precision::MeanOffset, Precision::Centred] {
                // Numbers are read by the same code in every method.
                if effort == Effort::Quick && !both && precision != Precision::F32 {
                    continue;
                }
                let settings = SummedAreaSettings { precision, ..settings.clone() };
                add(format!("{} {}", method.name(), precision.name()), [261, 131], settings, None, 1);
            }
        }
        let single = SummedAreaSettings { by_rows: true, ..Default::default() };
        add("single_pass by rows".into(), [300, 200], single, None, 2);
        for (what, features) in lesser(gpu) {
            for method in [Method::SinglePass, Method::TwoPass, Method::ScanRowBrlt, Method::ScanRowColumn] {
                let settings = SummedAreaSettings { method, ..Default::default() };
                add(format!("{}, {what}", method.name()), [261, 131], settings, Some(features), 1);
            }
        }
        cases
    }

    /// Of floats the exact sums, as bits of floats.
    fn cpu(input: &TableCase) -> Vec<Vec<u32>> {
        let precision = input.settings.precision;
        let planes = (0..input.channels).map(|channel| numbers(input.size, channel, precision));
        let plane = |plane: Plane| match precision {
            Precision::U32 => vec![plane.table().numbers],
            _ => {
                let bits = |sums: &Vec<f32>| sums.iter().map(|sum| sum.to_bits()).collect();
                plane.float_tables(precision).iter().map(bits).collect()
            }
        };
        planes.flat_map(plane).collect()
    }

    fn gpu(bench: &mut TestBench, input: &TableCase) -> anyhow::Result<Vec<Vec<u32>>> {
        let planes: Vec<_> =
            (0..input.channels).map(|channel| numbers(input.size, channel, input.settings.precision)).collect();
        let source = source_of(bench, &planes)?;
        let technique = match input.features {
            None => shared_technique(bench)?,
            Some(features) => std::sync::Arc::new(Mutex::new(SummedArea::with_features(bench.gpu(), features)?)),
        };
        let table = run_shared(bench, &technique, |frame, technique| {
            technique.tables.build(frame, &input.settings, &source, TableBuffers::SHOWN)
        })?;
        read_table(bench, &table)
    }

    fn agree(input: &TableCase, cpu: &Vec<Vec<u32>>, gpu: &Vec<Vec<u32>>) -> Verdict {
        let counts = Verdict::none("planes or words missing", shape_off(cpu, gpu));
        let both = || cpu.iter().flatten().zip(gpu.iter().flatten());
        if input.settings.precision == Precision::U32 {
            return counts.and_none("words that differ", both().filter(|(a, b)| a != b).count());
        }
        let expected: Vec<Vec<f32>> =
            cpu.iter().map(|plane| plane.iter().map(|word| f32::from_bits(*word)).collect()).collect();
        counts.and_at_most("worst sum, parts of the largest in 2^-24", worst_sum(&expected, gpu), WORST_SUM)
    }
}

fn shape_off(cpu: &[Vec<u32>], gpu: &[Vec<u32>]) -> usize {
    let apart = cpu.iter().zip(gpu).map(|(a, b)| a.len().abs_diff(b.len())).sum::<usize>();
    cpu.len().abs_diff(gpu.len()) + apart
}

/// The single pass many times with changing contents and sizes; posts are cleared only where runs are numbered from the
/// start again.
pub struct Repeats;

impl Property for Repeats {
    const NAME: &'static str = "again";
    const HAS_REFERENCE: bool = true;
    type Input = usize;
    /// Words that differ, in all runs.
    type Output = usize;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<usize>> {
        let runs = match effort {
            Effort::Quick => 60,
            Effort::Full if gpu.policy().is_slow => 1000,
            Effort::Full => 10_000,
        };
        vec![Case::new(format!("{runs} runs"), runs)]
    }

    fn run(bench: &mut TestBench, runs: &usize) -> anyhow::Result<usize> {
        let sizes = [[300, 200], [129, 65], [128, 64], [1, 513], [520, 130]];
        let settings = SummedAreaSettings::default();
        let mut sources = Vec::new();
        for size in sizes {
            let plane = numbers(size, 7, Precision::U32);
            sources.push((source_of(bench, std::slice::from_ref(&plane))?, plane.table()));
        }
        let technique = shared_technique(bench)?;
        let mut wrong = 0;
        for run in 0..*runs {
            if run % 50 == 20 {
                // Near the last number: posts of the first runs must not be taken for the next ones'.
                let mut technique = technique.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                technique.tables.resources.lookback.epoch = EPOCHS - 3;
            }
            let (source, expected) = &sources[(run * 7 + run / 5) % sources.len()];
            let table = run_shared(bench, &technique, |frame, technique| {
                technique.tables.build(frame, &settings, source, TableBuffers::SHOWN)
            })?;
            let result = read_table(bench, &table)?;
            wrong += words_apart(&expected.numbers, &result[0]);
        }
        Ok(wrong)
    }

    fn verdict(_: &usize, wrong: &usize) -> Verdict {
        Verdict::none("words that differ", *wrong)
    }
}

/// Workgroups that post nothing, as if stopped: others stand in for them, and one dispatch makes the right table or
/// scan.
pub struct Stalls;

/// Which groups are silent, and for how many turns others wait.
pub struct Silence {
    group: u32,
    turns: u32,
    words: PostFormat,
}

impl Property for Stalls {
    const NAME: &'static str = "stalls";
    const HAS_REFERENCE: bool = true;
    type Input = Silence;
    /// Words that differ in the tables and in the scan, and whether a group stood in for another.
    type Output = (usize, bool);

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Silence>> {
        let own = ShaderFeatures::of(gpu);
        let all = [PostFormat::Wide, PostFormat::Narrow, PostFormat::Old];
        let formats = &all[all.iter().position(|words| *words == own.words).unwrap_or(2)..];
        let mut cases = Vec::new();
        // All groups, half of them, others; the last ones wait for groups that do post.
        let mut silences = vec![(1, 0), (1, 64), (2, 0), (2, 64), (3, 64)];
        if own.wait_turns != 64 {
            silences.push((2, own.wait_turns));
        }
        for (group, turns) in silences {
            for &words in formats {
                // Each takes seconds of a software driver's compiler.
                if effort == Effort::Quick && words != own.words && group != 2 {
                    continue;
                }
                let name = format!("each {group}. group silent, {turns} turns, {words:?}");
                cases.push(Case::new(name, Silence { group, turns, words }));
            }
        }
        cases
    }

    fn run(bench: &mut TestBench, silence: &Silence) -> anyhow::Result<(usize, bool)> {
        let Silence { group, turns, words } = *silence;
        let features =
            ShaderFeatures { silent_group: group, wait_turns: turns, words, ..ShaderFeatures::of(bench.gpu()) };
        let mut technique = SummedArea::with_features(bench.gpu(), features)?;
        let mut wrong = 0;
        for (size, by_rows) in [([700, 300], false), ([130, 500], false), ([1000, 33], true)] {
            let plane = numbers(size, 1, Precision::U32);
            let source = source_of(bench, std::slice::from_ref(&plane))?;
            let settings = SummedAreaSettings { by_rows, ..Default::default() };
            let table = bench.run(|frame| technique.tables.build(frame, &settings, &source, TableBuffers::SHOWN))?;
            let result = read_table(bench, &table)?;
            wrong += words_apart(&plane.table().numbers, &result[0]);
        }
        // More tiles than a look back sees at once.
        let values: Vec<u32> = noise((70 * TILE + 5) as usize, group);
        let (source, count) = (upload(bench, &values)?, values.len() as u32);
        let target = Buffer::new(bench.gpu(), "scanned", bytes_for(count), Memory::Device)?;
        let array = Array { source: &source, flags: None, target: &target, count, padded: false };
        bench.run(|frame| technique.scan(frame, Scan::SinglePass, &array))?;
        let result: Vec<u32> = bench.read_buffer(&target)?;
        wrong += result.iter().zip(segmented(&values, &[])).filter(|(a, b)| **a != *b).count();
        Ok((wrong, technique.stood_in(bench)? > 0))
    }

    fn verdict(_: &Silence, (wrong, stood_in): &(usize, bool)) -> Verdict {
        Verdict::that(*stood_in, format!("a group stood in for another: {stood_in}"))
            .and_none("words that differ", *wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::comparison::worst_error, *};
    use technique::Technique;

    /// Large bright pictures: the worst mean of 3x3 by precision, and variances below zero.
    #[test]
    fn whole_numbers_are_exact_where_floats_are_not() {
        let mut bench = TestBench::validated();
        let gpu = bench.gpu().clone();
        let technique = Mutex::new(SummedArea::new(&gpu).unwrap());
        let size = [1400, 1100];
        let rgba: Vec<u8> =
            noise(1400 * 1100, 9).iter().flat_map(|n| [200 + (n >> 28) as u8; 3].into_iter().chain([255])).collect();
        let picture = bench.picture(size, &rgba).unwrap();
        let mut worst = |precision| {
            let mut technique = technique.lock().unwrap();
            let read = bench
                .run(|frame| {
                    let settings = SummedAreaSettings { precision, ..Default::default() };
                    let exact = SummedAreaSettings::default();
                    let table = technique.record(frame, &settings, &picture.mip(0))?;
                    let source = Source::luma(&picture.mip(0));
                    let buffers = TableBuffers { table: "truth", means: "no means", ..TableBuffers::SHOWN };
                    let truth = technique.tables.build(frame, &exact, &source, buffers)?;
                    worst_error(&mut technique.tables, frame, &table, &truth, 1)
                })
                .unwrap();
            f64::from(f32::from_bits(read.read::<u32>().unwrap()[0])) * 255.0
        };
        let [u32s, f32s, centred, mean] =
            [Precision::U32, Precision::F32, Precision::Centred, Precision::MeanOffset].map(&mut worst);
        println!("worst mean of 3x3: u32 {u32s}, f32 {f32s}, centred {centred}, mean {mean}");
        assert!(u32s < 1e-4 && f32s > 0.5 && centred < f32s && mean < centred && mean > u32s);
    }
}
