//! Benchmarks of scans, tables and blurs, beside the time to move their bytes without any other work.

use super::{
    blur_checks::{light, light_image, shown},
    checks::{numbers, read_table, source_of},
    precision_error::worst_box_mean,
    reference::{WORST_SUM, worst_sum},
    scan_checks::{Flags, noise, upload},
    scan_reference::segmented,
};
use crate::{
    passes::{
        methods::TableBuffers,
        scan::{Array, Scan, bytes_for},
    },
    settings::SummedAreaSettings,
    table::{Method, Precision, bytes, passes},
    technique::SummedArea,
};
use base::{boxes::Boxes, half};
use gpu::{Buffer, Frame, Memory};
use lab::{Bench, BenchOptions, BenchRun, Row, test_picture};
use media::difference::Errors;
use technique::Technique;

const COUNTS: [u32; 2] = [1 << 20, 1 << 25];
const QUICK_COUNT: u32 = 50_000;
const SIZES: [[u32; 2]; 4] = [[1920, 1080], [1919, 1079], [3840, 2160], [7680, 4320]];

fn counts(options: &BenchOptions) -> &'static [u32] {
    if options.quick { &[QUICK_COUNT] } else { &COUNTS }
}

pub const SCANS: Bench = Bench::new("scans", &[], scans);

fn scans(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let mut technique = SummedArea::new(run.bench.gpu())?;
    for &count in counts(run.options) {
        let values = noise(count as usize, 1);
        let flags = Flags::Some(1000).of(count as usize);
        let (source, flag_words) = (upload(run.bench, &values)?, upload(run.bench, &flags)?);
        let target = Buffer::new(run.bench.gpu(), "scanned", bytes_for(count), Memory::Device)?;
        let all = u64::from(count) * 4;
        let probe = run.copy_us(all, all)?;
        for &scan in Scan::ALL {
            let array = Array { source: &source, flags: Some(&flag_words), target: &target, count, padded: true };
            let gpu_us = run.measure(&mut |frame| technique.scan(frame, scan, &array))?;
            run.bench.run(|frame| {
                frame.fill("setup/scanned", &target, 0x5EED_5EED)?;
                technique.scan(frame, scan, &array)
            })?;
            let expected = segmented(&values, if scan == Scan::Segmented { &flags } else { &[] });
            let result: Vec<u32> = run.bench.read_buffer(&target)?;
            let variant = format!("{}, {} dispatches", scan.name(), scan.passes(count));
            let row = Row::new(format!("{count} words"), variant, gpu_us, scan.bytes(count));
            run.row(row.beside(probe).checked(result[..count as usize] == expected));
        }
    }
    Ok(())
}

struct Variant {
    name: String,
    settings: SummedAreaSettings,
}

fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for &method in Method::ALL {
        all.push(Variant { name: method.name().into(), settings: SummedAreaSettings { method, ..Default::default() } });
    }
    let single = SummedAreaSettings::default();
    let other = |name: &str, settings: SummedAreaSettings| Variant { name: name.into(), settings };
    all.push(other("single_pass by rows", SummedAreaSettings { by_rows: true, ..single.clone() }));
    for method in [Method::Transpose, Method::BrltScanRow] {
        let name = format!("{} [32][32]", method.name());
        all.push(other(&name, SummedAreaSettings { method, padding: false, ..single.clone() }));
    }
    for precision in [Precision::F32, Precision::HalfOffset, Precision::MeanOffset, Precision::Centred] {
        let name = format!("single_pass {}", precision.name());
        all.push(other(&name, SummedAreaSettings { precision, ..single.clone() }));
    }
    all
}

pub const TABLES: Bench = Bench::new("tables", &SIZES, tables);

fn tables(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let (mut technique, size) = (SummedArea::new(run.bench.gpu())?, run.size);
    let planes = [numbers(size, 0, Precision::F32)];
    let (source, expected) = (source_of(run.bench, &planes)?, planes[0].table());
    let all = run.pixels() * 4;
    let probe = run.copy_us(all, all)?;
    let mut variants = variants();
    variants.retain(|variant| run.options.takes(0, &variant.name));
    for Variant { name, settings } in variants {
        let mut build = |frame: &mut Frame| technique.tables.build(frame, &settings, &source, TableBuffers::SHOWN);
        let gpu_us = run.measure(&mut |frame| build(frame).map(drop))?;
        let table = run.bench.run(build)?;
        let result = read_table(run.bench, &table)?;
        let is_right = match settings.precision {
            Precision::U32 => result[0] == expected.numbers,
            precision => worst_sum(&planes[0].float_tables(precision), &result) <= WORST_SUM,
        };
        let variant = format!("{name}, {} dispatches", passes(settings.method, size));
        let row = Row::new(run.case("u32"), variant, gpu_us, bytes(settings.method, size, 4).iter().sum());
        let error = worst_box_mean(&planes[0], &result, settings.precision);
        run.row(row.beside(probe).error(error).checked(is_right));
    }
    Ok(())
}

const RADII: [u32; 5] = [1, 3, 12, 50, 200];
const COMPARED: [i32; 2] = [160, 90];

pub const BLURS: Bench = Bench::new("blurs", &[SIZES[0]], blurs);

fn blurs(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let (mut technique, size) = (SummedArea::new(run.bench.gpu())?, run.size);
    let settings = SummedAreaSettings::default();
    let rgba = test_picture(size);
    let (image, texels) = (light_image(run.bench, size, &rgba)?.mip(0), light(&rgba));
    // Half floats of four channels.
    let all = 8 * run.pixels();
    let probe = run.copy_us(all, all)?;
    let whole = [[0, 0], size.map(|n| n as i32)];
    // A corner, so that the border is in it.
    let part = [[0, 0], [0, 1].map(|i| COMPARED[i].min(size[i] as i32))];
    for radius in RADII {
        let boxes = Boxes { radius, part: 0.5 };
        let mut blur = |frame: &mut Frame| technique.blur(frame, &settings, &image, boxes, whole);
        let gpu_us = run.measure(&mut |frame| blur(frame).map(drop))?;
        let Some(blurred) = run.bench.run(blur)? else { anyhow::bail!("no storage buffer is so large") };
        let result: Vec<[u16; 4]> = run.bench.read(&blurred.light)?;
        let wide = blurred.light.size()[0] as usize;
        let expected = boxes.blur(size, |[x, y]| texels[(y * size[0] + x) as usize], part);
        let row = |y: usize| &result[y * wide..][..part[1][0] as usize];
        let result = (0..part[1][1] as usize).flat_map(row).map(|t| [0, 1, 2].map(|c| half::to_f64(t[c])));
        let errors = Errors::between(&shown(expected), &shown(result.collect()));
        let row = Row::new(run.case("three boxes"), format!("radius {radius}"), gpu_us, 2 * all);
        run.row(row.beside(probe).error(errors.max()).checked(errors.max() <= 0.175));
    }
    Ok(())
}
