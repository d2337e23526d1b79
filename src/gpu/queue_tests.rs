//! Tests of both queues on a device.
use super::*;
use crate::gpu_struct;
use base::timing::QueueWait;
use glam::{Vec2, Vec3};

gpu_struct! { struct PlacePush { count: u32, first: f32 } }
gpu_struct! { struct Placed { at: Vec2, unused: f32, value: f32 } }
gpu_struct! { struct Misplaced { at: Vec3, value: f32 } }

const COUNT: u32 = 37;

fn point_desc() -> RasterDesc {
    RasterDesc {
        shaders: ["gpu/take.vert", "gpu/take.frag"].map(String::from).to_vec(),
        color: vec![Format::R32F],
        vertices: Some(VertexLayout::of::<Placed>()),
        points: true,
        ..Default::default()
    }
}

fn rounds(exclusive: bool, early: bool, without: &[Feature]) -> Vec<f32> {
    let options = Options { validate: true, without: without.iter().copied().collect(), ..Options::default() };
    let gpu = Gpu::new(&options).unwrap();
    let mut frames = Frames::new(&gpu, 2);
    let place = ComputePipeline::new(&gpu, "gpu/place.comp", &[]).unwrap().with_struct::<Placed>("Vertices").unwrap();
    let points = RasterPipeline::new(&gpu, point_desc()).unwrap();
    let row = Image::new(&gpu, ImageDesc::new("row", [COUNT, 1], Format::R32F, &[Use::Color])).unwrap();
    let bytes = u64::from(COUNT) * 16;
    let buffers = [0, 1].map(|k| match exclusive {
        true => Buffer::exclusive(&gpu, &format!("vertices {k}"), bytes).unwrap(),
        false => Buffer::new(&gpu, &format!("vertices {k}"), bytes, Memory::Device).unwrap(),
    });
    let mut read = None;
    for round in 0..9 {
        let [new, old] = [round % 2, (round + 1) % 2].map(|k| &buffers[k]);
        let mut frame = frames.begin().unwrap();
        let push = PlacePush { count: COUNT, first: round as f32 };
        frame
            .on(Queue::Compute, |f| f.compute("place", &place).bind("Vertices", new).push(&push).dispatch([COUNT, 1]))
            .unwrap();
        if early {
            frame.give(new, Queue::Graphics).unwrap();
        }
        if round > 0 {
            let draw = points.draw(COUNT).vertices(old);
            frame.raster("points").color(&row.mip(0), Some([-1.0; 4])).draw(draw).finish().unwrap();
            if early {
                frame.give(old, Queue::Compute).unwrap();
            }
            read = Some(frame.read_image(&row.mip(0)).unwrap());
        }
        frames.submit(frame).unwrap();
    }
    let last = &buffers[0];
    let (held, _) = frames
        .once(|f| {
            f.give(last, Queue::Compute)?;
            f.give(last, Queue::Graphics)?;
            f.read_buffer(last)
        })
        .unwrap();
    assert_eq!(held.read::<Placed>().unwrap()[3].value, 11.0);
    read.unwrap().read().unwrap()
}

#[test]
fn one_queue_writes_and_the_other_draws_shared_or_exclusive() {
    let expected: Vec<f32> = (0..COUNT).map(|i| (7 + i) as f32).collect();
    for (exclusive, early) in [(false, false), (true, false), (true, true)] {
        assert_eq!(rounds(exclusive, early, &[]), expected, "exclusive {exclusive}, early {early}");
    }
    let without = [Feature::AsyncCompute, Feature::CalibratedTimestamps];
    assert_eq!(rounds(true, true, &without), expected, "one queue, no common clock");
}

#[test]
fn vertices_must_be_what_the_shader_takes_in() {
    let gpu = Gpu::headless(true).unwrap();
    let told = |desc: RasterDesc, words: &[&str]| {
        let text = RasterPipeline::new(&gpu, desc).err().unwrap().to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    };
    told(RasterDesc { vertices: None, ..point_desc() }, &["\"at\"", "no vertices"]);
    told(RasterDesc { vertices: Some(VertexLayout::of::<Misplaced>()), ..point_desc() }, &["at+8", "at+12"]);
    let points = RasterPipeline::new(&gpu, point_desc()).unwrap();
    let row = Image::new(&gpu, ImageDesc::new("row", [4, 1], Format::R32F, &[Use::Color])).unwrap();
    let mut frames = Frames::new(&gpu, 1);
    let mut frame = frames.begin().unwrap();
    let bare = frame.raster("bare").color(&row.mip(0), None).draw(points.draw(4)).finish();
    assert!(bare.unwrap_err().to_string().contains("vertices"));
}

#[test]
fn workgroups_larger_than_the_device_allows_are_refused() {
    let gpu = Gpu::headless(true).unwrap();
    let most = gpu.info().group_invocations;
    assert!(most >= 128 && gpu.info().group_size[0] >= 128 && gpu.info().shared_bytes >= 16384);
    let wide = |wide| ComputePipeline::new(&gpu, "gpu/place.comp", &[("WIDE", wide)]).map(|pipeline| pipeline.group());
    assert_eq!(wide(128).unwrap(), [128, 1, 1]);
    let told = wide(most + 1).unwrap_err().to_string();
    assert!(told.contains(&format!("{}", most + 1)) && told.contains("allows"), "{told}");
    assert!(wide(u32::MAX).is_err());
    let gather =
        |wide| ComputePipeline::new(&gpu, "gpu/gather.comp", &[("WIDE", wide)]).map(|pipeline| pipeline.group());
    assert_eq!(gather(100).unwrap(), [100, 1, 1]);
    let told = gather(gpu.info().shared_bytes / 16).unwrap_err().to_string();
    assert!(told.contains("shared memory"), "{told}");
}

#[test]
fn both_queues_share_an_axis_with_calibrated_timestamps() {
    let gpu = Gpu::headless(false).unwrap();
    let place = ComputePipeline::new(&gpu, "gpu/place.comp", &[]).unwrap();
    let buffer = Buffer::new(&gpu, "vertices", 1 << 20, Memory::Device).unwrap();
    let mut frames = Frames::new(&gpu, 1);
    let push = PlacePush { count: 1 << 16, first: 0.0 };
    let pass =
        |f: &mut Frame| f.compute("place", &place).bind("Vertices", &buffer).push(&push).dispatch([push.count, 1]);
    let ((), timing) = frames.once(|f| pass(f).and_then(|()| f.on(Queue::Compute, pass))).unwrap();
    assert_eq!(timing.passes.iter().map(|p| p.on_compute_queue).collect::<Vec<_>>(), [false, true]);
    assert!(timing.passes.iter().all(|p| p.gpu_start_us.is_none_or(|us| us >= 0.0)), "{timing:?}");
    let knows = gpu.now_ticks().is_some() && timing.gpu_us.is_some();
    assert_eq!(timing.gpu_after_us.is_some(), knows, "{timing:?}");
    assert_eq!(timing.clocks_apart, gpu.two_families() && !knows);
    assert!(timing.gpu_after_us.is_none_or(|us| us < 60e6), "{timing:?}");
}

#[test]
fn waits_name_their_resource_and_their_passes() {
    let gpu = Gpu::headless(false).unwrap();
    let place = ComputePipeline::new(&gpu, "gpu/place.comp", &[]).unwrap();
    let [list, other] = ["list", "other"].map(|name| Buffer::new(&gpu, name, 4096, Memory::Device).unwrap());
    let mut frames = Frames::new(&gpu, 1);
    let push = PlacePush { count: 16, first: 0.0 };
    let pass = |f: &mut Frame, buffer: &Buffer| {
        f.compute("place", &place).bind("Vertices", buffer).push(&push).dispatch([push.count, 1])
    };
    let wait = |pass, after, resource: &str| QueueWait { pass, after, resource: resource.into() };
    let ((), first) = frames
        .once(|f| {
            pass(f, &other)?;
            f.on(Queue::Compute, |f| pass(f, &list))?;
            pass(f, &other)?;
            pass(f, &list)
        })
        .unwrap();
    assert_eq!(first.waits, [wait(3, Some(1), "list")]);
    assert!(first.passes.iter().all(|pass| pass.submitted_us >= first.cpu_us), "{first:?}");
    assert_eq!(first.window_pass, None);
    let ((), second) = frames.once(|f| f.on(Queue::Compute, |f| pass(f, &list))).unwrap();
    assert_eq!((second.waits, second.frame), (vec![wait(0, None, "list")], 1));
    assert!(second.begun_us >= first.begun_us + first.cpu_us);
    let ((), third) = frames.once(|f| f.on(Queue::Compute, |f| pass(f, &list))).unwrap();
    assert_eq!(third.waits, []);
}
