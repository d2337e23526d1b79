//! Test of adding a technique: a folder (tests/technique_parts/histogram), a line in the list and a call in the frame suffice for settings,
//! views, outputs, a table, checks and benchmarks.

#[path = "technique_parts/histogram/mod.rs"]
mod histogram;

use histogram::oracle;
use meniscus::{
    gpu::{Format, Frame, Frames, Gpu, Image, ImageDesc, Use},
    lab::{BenchOptions, Effort, TestBench},
    techniques::{FrameContext, Stage, mip_chain},
};

meniscus::techniques! {
    mip_chain: mip_chain::MipChain,
    histogram: histogram::Histogram, // the line in the list
}

const SIZE: [u32; 2] = [63, 37];

/// A frame of two techniques over a picture.
fn score(
    techniques: &mut Techniques,
    frame: &mut Frame,
    settings: &Settings,
    context: &FrameContext,
) -> meniscus::gpu::Result<()> {
    techniques.mip_chain.record(frame, &settings.mip_chain, &context.picture, &context.chain)?;
    techniques.histogram.record(frame, &settings.histogram, &context.picture)?; // the call in the frame
    Ok(())
}

#[test]
fn the_line_in_the_list_gives_settings_and_lists() {
    let mut settings = Settings::default();
    let sections: Vec<_> = settings.sections().iter().map(|section| section.id).collect();
    assert_eq!(sections, ["scene", "mip_chain", "histogram", "hand", "display"]);
    settings.lay(toml::from_str("[histogram]\nbins = 5").unwrap()).unwrap();
    assert_eq!(settings.histogram.bins, 5);
    let refused = settings.lay(toml::from_str("[histogram]\nbins = 500").unwrap()).unwrap_err();
    assert!(refused.contains("histogram.bins") && refused.contains("expected"), "{refused}");
    assert_eq!(settings.of_stage(Stage::Picture).histogram.bins, 5);
    assert_eq!(settings.of_stage(Stage::World).histogram.bins, 16, "nothing that a world depends on");
    let info = INFOS.iter().find(|info| info.id == "histogram").unwrap();
    assert_eq!((info.title, info.views.len(), info.outputs.len()), ("Histogram", 1, 1));
    assert!(!settings.views_world("histogram"));
}

#[test]
fn the_call_in_the_score_gives_view_output_and_table() {
    let gpu = Gpu::headless(true).unwrap();
    let messages = gpu.messages();
    let mut bench = TestBench::on(&gpu).unwrap();
    let rgba = oracle::test_picture(SIZE);
    let (picture, chain) =
        (bench.picture(SIZE, &rgba).unwrap(), mip_chain::chain_for(&gpu, "chain", SIZE, 16).unwrap());
    let (below, lenses) = (picture.mip(0), vec![]);
    let context = FrameContext {
        picture: below,
        chain,
        chain_is_tent: true,
        lenses,
        scale: 1.0,
        world: None,
        boxed: None,
        sums: None,
    };
    let view = Image::new(&gpu, ImageDesc::new("view", SIZE, Format::Rgba8, &[Use::Storage])).unwrap();
    let mut settings = Settings::default();
    settings.histogram.measure = true;
    let (mut techniques, mut frames) = (Techniques::new(&gpu).unwrap(), Frames::new(&gpu, 2));
    let mut frame = frames.begin().unwrap();
    score(&mut techniques, &mut frame, &settings, &context).unwrap();
    assert!(techniques.wants_frame(), "counts are on their way");
    let drawn = techniques.draw_view(&mut frame, ("histogram", "bars"), &settings, &context, &view.mip(0));
    assert!(drawn.unwrap());
    let output = techniques.output(("histogram", "bins"), &context).unwrap().read(&mut frame).unwrap();
    let picture_of_view = frame.read_image(&view.mip(0)).unwrap();
    frames.submit(frame).unwrap();
    frames.wait().unwrap();
    techniques.on_timing(&frames.take_timing().unwrap()).unwrap();
    let expected = oracle::histogram(&rgba, settings.histogram.bins);
    let bytes: Vec<u8> = expected.iter().flat_map(|count| count.to_ne_bytes()).collect();
    assert_eq!(output.array().unwrap().bytes, bytes);
    let (id, table) = techniques.tables(&settings, false).pop().unwrap();
    let counted: Vec<u32> = table.rows.iter().map(|row| row[1].parse().unwrap()).collect();
    assert_eq!((id, counted), ("histogram", expected.clone()));
    assert!(!techniques.wants_frame());
    // The fullest bin's bar reaches the top, an empty one's does not reach the bottom row.
    let (fullest, _) = expected.iter().enumerate().max_by_key(|(_, count)| **count).unwrap();
    let shown: Vec<[u8; 4]> = picture_of_view.read().unwrap();
    let column = |bin: usize| (bin * SIZE[0] as usize).div_ceil(expected.len());
    assert_eq!(shown[column(fullest)], [255, 204, 51, 255]);
    for (bin, _) in expected.iter().enumerate().filter(|(_, count)| **count == 0) {
        assert_eq!(shown[(SIZE[0] * (SIZE[1] - 1)) as usize + column(bin)], [0, 0, 0, 255], "bin {bin}");
    }
    drop((picture, context, view, techniques, frames, bench, output, picture_of_view, gpu));
    assert_eq!(messages.all(), Vec::<String>::new());
}

#[test]
fn oracles_and_benchmarks_follow_from_the_list() {
    let gpu = Gpu::headless(true).unwrap();
    let messages = gpu.messages();
    let mut bench = TestBench::on(&gpu).unwrap();
    let info = INFOS.iter().find(|info| info.id == "histogram").unwrap();
    let mut tried = 0;
    for check in (info.checks)() {
        check.run(&mut bench, Effort::Quick, &mut |outcome| {
            tried += 1;
            assert!(outcome.verdict.passed, "{} {}: {}", check.name, outcome.case, outcome.verdict.text);
        });
    }
    assert_eq!(tried, 12);
    let options = BenchOptions { sizes: vec![], formats: vec![], reps: Some(1), quick: true };
    let mut rows = vec![];
    for measured in (info.benches)() {
        (measured.run)(&mut bench, &options, &mut |row| rows.push(row)).unwrap();
    }
    assert!(rows.len() == 1 && rows[0].checked, "{rows:?}");
    drop((bench, gpu));
    assert_eq!(messages.all(), Vec::<String>::new());
}
