//! Tests of the capture of passes on whole frames.

use crate::{
    base::settings::parse_set,
    gpu::{
        CapturePoint, Captured, Format, Frames, Gpu, Image, ImageDesc, PassCapture, PassResource, ResourceShape, Use,
        test_gpu,
    },
    renderer::{Background, FrameParams, LoadMode, Renderer, WorldLoader},
    scene::Lens,
    techniques::{INFOS, Output, OutputReadBack, Settings},
};
use glam::Vec2;
use std::{collections::BTreeSet, sync::Arc};

pub(super) const SIZE: [u32; 2] = [97, 55];

/// A renderer and its frames.
pub(super) struct Stage {
    pub renderer: Renderer,
    frames: Frames,
    pub settings: Settings,
    lens: Lens,
    pub target: Image,
}

impl Stage {
    pub fn new(gpu: &Arc<Gpu>, sets: &[&str]) -> Self {
        let world = WorldLoader::new(None, LoadMode::Block);
        let renderer = Renderer::new(gpu, Background::new(None, LoadMode::Block), world).unwrap();
        let mut settings = Settings::default();
        for set in ["scene.place=many", "scene.instances=9"].iter().chain(sets) {
            settings.lay(parse_set(set).unwrap()).unwrap();
        }
        let lens = Lens { center: Vec2::new(50.0, 28.0), half: Vec2::splat(20.0), ..Lens::default() };
        let target = target(gpu, SIZE);
        Self { renderer, frames: Frames::new(gpu, 1), settings, lens, target }
    }

    fn resize(&mut self, gpu: &Arc<Gpu>, size: [u32; 2]) {
        self.target = target(gpu, size);
    }

    /// Records a frame; `read` records after its passes.
    pub fn frame<T>(
        &mut self,
        capture: Option<PassCapture>,
        read: impl FnOnce(&mut crate::gpu::Frame, &Renderer, &PassCapture) -> T,
    ) -> (T, PassCapture, Vec<String>) {
        let (renderer, target) = (&mut self.renderer, self.target.mip(0));
        let lenses = [self.lens];
        let params = FrameParams::of(&self.settings, &lenses);
        let result = self.frames.once(|frame| {
            if let Some(capture) = capture {
                frame.begin_capture(capture);
            }
            renderer.record(frame, &params, &target)?;
            let capture = frame.end_capture();
            let read = read(frame, renderer, &capture);
            crate::gpu::Result::Ok((read, capture))
        });
        let ((read, capture), timing) = result.unwrap();
        renderer.on_timing(&timing).unwrap();
        (read, capture, timing.passes.into_iter().map(|pass| pass.name).collect())
    }
}

fn target(gpu: &Arc<Gpu>, size: [u32; 2]) -> Image {
    let desc = ImageDesc::new("target", size, Format::Rgba8, &[Use::Color, Use::Storage]);
    Image::new(gpu, desc.aliases(&[Format::R32U])).unwrap()
}

/// All resources of all passes, before and after, at the first and at the last bound level.
fn all_points(capture: &PassCapture) -> Vec<CapturePoint> {
    let mut points: Vec<CapturePoint> = Vec::new();
    for pass in capture.passes() {
        for PassResource { binding, shape, .. } in &pass.resources {
            let mips = match shape {
                ResourceShape::Image { mips, .. } => vec![Some(mips.start), Some(mips.end - 1)],
                ResourceShape::Buffer { .. } => vec![None],
            };
            for (mip, is_before) in mips.into_iter().flat_map(|mip| [(mip, false), (mip, true)]) {
                let point = CapturePoint { mip, is_before, ..CapturePoint::new(&pass.pass, binding) };
                if !points.contains(&point) {
                    points.push(point);
                }
            }
        }
    }
    points
}

/// Without points the commands are those of a frame that captures nothing.
#[test]
fn a_capture_of_nothing_records_nothing() {
    let gpu = test_gpu();
    let mut stage = Stage::new(&gpu, &[]);
    for _ in 0..2 {
        stage.frame(None, |_, _, _| ());
    }
    let ((), _, plain) = stage.frame(None, |_, _, _| ());
    let ((), capture, captured) = stage.frame(Some(PassCapture::default()), |_, _, _| ());
    assert!(plain.len() > 10);
    assert_eq!(plain, captured);
    assert_eq!(capture.passes().iter().map(|pass| pass.pass.clone()).collect::<Vec<_>>(), captured);
}

/// Every resource of every pass of the default frame is copied without a validation message; where a pass is the last to write what a
/// technique names as its output, both have the same bytes.
#[test]
fn every_resource_of_a_frame_is_captured_as_it_is() {
    let gpu = test_gpu();
    let messages = gpu.messages();
    let mut stage = Stage::new(&gpu, &[]);
    let outputs: Vec<(&str, &str)> =
        INFOS.iter().flat_map(|info| info.outputs.iter().map(|output| (info.id, output.name))).collect();
    stage.renderer.prepare_outputs(&outputs);
    for _ in 0..2 {
        stage.frame(None, |_, _, _| ());
    }
    let ((), listed, _) = stage.frame(Some(PassCapture::default()), |_, _, _| ());
    let points = all_points(&listed);
    assert!(points.len() > 200, "{} points", points.len());
    let mut capture = listed;
    capture.set_points(&points);
    let (pairs, capture, _) = stage.frame(Some(capture), |frame, renderer, capture| {
        let outputs: Vec<_> = outputs
            .iter()
            .filter_map(|(id, name)| match renderer.last_frame().and_then(|(all, of)| all.output(id, name, of))? {
                Output::Image { view, .. } => Some((format!("{id}/{name}"), view)),
                _ => None,
            })
            .collect();
        let mut pairs: Vec<(String, OutputReadBack, OutputReadBack)> = Vec::new();
        for (output, view) in outputs {
            let writes = |resource: &&PassResource| resource.is_written && resource.name == view.image().name();
            let last = capture.passes().iter().rev().find_map(|pass| {
                let resource = pass.resources.iter().find(writes)?;
                Some((&pass.pass, &resource.binding))
            });
            let Some((pass, binding)) = last else { continue };
            let captured = capture.captured().find_map(|(point, captured)| match captured {
                Some(Captured::Image(image))
                    if (&point.pass, &point.binding) == (pass, binding)
                        && !point.is_before
                        && point.mip == Some(view.level()) =>
                {
                    Some(image.mip(0))
                }
                _ => None,
            });
            let Some(captured) = captured else { continue };
            let whole = Output::from(&view);
            pairs.push((output, whole.read(frame).unwrap(), Output::from(captured).read(frame).unwrap()));
        }
        pairs
    });
    for (point, captured) in capture.captured() {
        let why = if captured.is_some() { String::new() } else { capture.why_not(point) };
        let is_excused = captured.is_some() || point.is_before && why.starts_with("nothing was written");
        assert!(is_excused, "{point:?}: {why}");
    }
    let compared: BTreeSet<&str> = pairs.iter().map(|(output, ..)| output.as_str()).collect();
    assert!(compared.len() >= 4, "{compared:?}");
    for (output, saved, captured) in &pairs {
        assert_eq!(saved.array().unwrap(), captured.array().unwrap(), "{output}");
    }
    drop((pairs, capture, stage, gpu));
    assert_eq!(messages.all(), Vec::<String>::new());
}

/// The viewer may be open at any moment: everything is captured in frames of measurements and through changes of size, without a
/// validation message.
#[test]
fn frames_of_measurements_and_of_other_sizes_are_captured() {
    let gpu = test_gpu();
    let messages = gpu.messages();
    let mut stage = Stage::new(&gpu, &[]);
    let measured: Vec<_> = INFOS.iter().filter(|info| info.measures.is_some()).map(|info| info.id).collect();
    assert!(measured.len() > 4, "{measured:?}");
    let mut capture = PassCapture::default();
    let mut count = 0;
    for (round, technique) in measured.into_iter().enumerate() {
        stage.renderer.measure(technique);
        stage.resize(&gpu, if round % 2 == 0 { [64, 80] } else { SIZE });
        for _ in 0..3 {
            let points = all_points(&capture);
            capture.set_points(&points);
            capture = stage.frame(Some(capture), |_, _, _| ()).1;
            count += capture.captured().filter(|(_, captured)| captured.is_some()).count();
        }
        stage.renderer.stop_measuring(technique);
    }
    assert!(count > 2000, "{count} captured");
    drop((capture, stage, gpu));
    assert_eq!(messages.all(), Vec::<String>::new());
}

/// A point that no pass has says what there is instead.
#[test]
fn a_wrong_name_says_the_nearest() {
    let gpu = test_gpu();
    let mut stage = Stage::new(&gpu, &["scene.source=picture"]);
    let ((), capture, _) = stage.frame(Some(PassCapture::default()), |_, _, _| ());
    let why =
        |pass: &str, binding: &str, mip| capture.why_not(&CapturePoint { mip, ..CapturePoint::new(pass, binding) });
    let pass = capture.passes().iter().find(|pass| pass.pass == "glass/lens").unwrap();
    let image = pass.resources.iter().find(|of| matches!(of.shape, ResourceShape::Image { .. })).unwrap();
    let buffer = pass.resources.iter().find(|of| matches!(of.shape, ResourceShape::Buffer { .. })).unwrap();
    assert_eq!(
        why("glass/lense", "glass", None),
        "the frame has no pass \"glass/lense\"; did you mean \"glass/lens\"?"
    );
    assert!(why("glass/lens", "glas", None).contains("did you mean \"glass\"?"));
    assert!(why("glass/lens", &image.binding, Some(40)).contains("has the mip levels 0 to"));
    assert!(why("glass/lens", &buffer.binding, Some(1)).contains("is a buffer, which has no mip levels"));
}

/// Costs of one pinned picture at 2560x1440, as medians of 60 frames; run by name on a real GPU.
#[test]
#[ignore = "prints times"]
fn costs_of_a_pinned_picture() {
    use crate::instrument::{Pin, PinPicture, Pins};
    let gpu = Gpu::headless(false).unwrap();
    let mut stage = Stage::new(&gpu, &["scene.rerun=world"]);
    stage.resize(&gpu, [2560, 1440]);
    let target = stage.target.mip(0);
    let mut pins = Pins::new(&gpu);
    let (_, capture, _) = stage.frame(Some(PassCapture::default()), |_, _, _| ());
    let is_large = |shape: &ResourceShape| matches!(shape, ResourceShape::Image { size: [2560, 1440], mips, can_be_copied: true, .. } if mips.start == 0);
    let mut pinned: Vec<(String, String)> = Vec::new();
    for pass in capture.passes() {
        let written = pass.resources.iter().find(|resource| resource.is_written && is_large(&resource.shape));
        pinned.extend(written.map(|resource| (pass.pass.clone(), resource.binding.clone())));
    }
    let frames = |stage: &mut Stage, pins: &mut Pins, point: Option<&(String, String)>| {
        let view = crate::instrument::PictureView { range: [0.0, 1.0], step: 8.0, ..Default::default() };
        let picture = PinPicture { rect: [20, 1000, 340, 1180], view, is_automatic: true };
        let pin = |(pass, binding): &(String, String)| Pin {
            id: 1,
            point: CapturePoint::new(pass, binding),
            picture: Some(picture),
            texels: Some([1000, 700, 1, 1]),
        };
        pins.set(point.map(pin).into_iter().collect(), point.iter().map(|(pass, _)| pass.clone()).collect());
        let mut costs: std::collections::BTreeMap<String, Vec<f64>> = std::collections::BTreeMap::new();
        for _ in 0..60 {
            let lenses = [stage.lens];
            let params = FrameParams::of(&stage.settings, &lenses);
            let renderer = &mut stage.renderer;
            let (number, timing) = stage
                .frames
                .once(|frame| {
                    pins.begin(frame);
                    renderer.record(frame, &params, &target)?;
                    pins.end(frame, &target)?;
                    crate::gpu::Result::Ok(frame.number())
                })
                .unwrap();
            stage.renderer.on_timing(&timing).unwrap();
            pins.on_frame_end(number).unwrap();
            costs.entry("frame".into()).or_default().extend(timing.gpu_us);
            for pass in timing
                .passes
                .iter()
                .filter(|pass| pass.name.starts_with("capture") || pass.name.starts_with("instrument"))
            {
                costs.entry(pass.name.clone()).or_default().extend(pass.gpu_us);
            }
        }
        costs
    };
    for point in [None].into_iter().chain(pinned.iter().map(Some)) {
        println!("{point:?} {:?}", pins.results().get(&1).and_then(|result| result.problem.clone()));
        for (name, mut us) in frames(&mut stage, &mut pins, point) {
            println!("  {name}: {:.1} us in {} frames", crate::base::stats::median(&mut us), us.len());
        }
    }
}
