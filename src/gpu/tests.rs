//! Tests of the recorder on a device: barriers, queues, mistakes.
use super::*;
use crate::gpu_struct;
use glam::UVec2;

gpu_struct! { struct AddPush { size: UVec2, amount: f32 } }
gpu_struct! { struct WrongPush { amount: f32, size: UVec2 } }
gpu_struct! { struct TintPush { gain: f32 } }
gpu_struct! { struct Total { sum: u32, texels: u32 } }

const SIZE: [u32; 2] = [37, 21];
const COUNT: usize = (SIZE[0] * SIZE[1]) as usize;

fn image(gpu: &std::sync::Arc<Gpu>, name: &str) -> Image {
    let uses = [Use::Storage, Use::Sample, Use::Color];
    Image::new(gpu, ImageDesc::new(name, SIZE, Format::R32F, &uses).mips(2).both_queues()).unwrap()
}

fn add(gpu: &std::sync::Arc<Gpu>) -> ComputePipeline {
    ComputePipeline::new(gpu, "gpu/add.comp", &[("TIMES", 2)]).unwrap().with_push::<AddPush>().unwrap()
}

/// One from the other.
fn pass(frame: &mut Frame, name: &str, add: &ComputePipeline, [dst, src]: [&Image; 2]) -> Result<()> {
    let push = AddPush { size: SIZE.into(), amount: 1.0 };
    frame.compute(name, add).bind("src", src).bind("dst", dst).push(&push).dispatch(SIZE)
}

fn under_validation<R>(record: impl FnOnce(&std::sync::Arc<Gpu>, &mut Frames) -> R) -> R {
    let gpu = Gpu::headless(true).unwrap();
    record(&gpu, &mut Frames::new(&gpu, 2))
}

#[test]
fn passes_see_what_earlier_passes_wrote() {
    let (sum, texel, rows) = under_validation(|gpu, frames| {
        let (a, b, tinted) = (image(gpu, "a"), image(gpu, "b"), image(gpu, "tinted"));
        let add = add(gpu);
        let count = ComputePipeline::new(gpu, "gpu/count.comp", &[]).unwrap().with_struct::<Total>("Totals").unwrap();
        let tint = RasterPipeline::simple(gpu, ["include/screen.vert", "gpu/tint.frag"], Format::R32F).unwrap();
        let tint = tint.with_push::<TintPush>().unwrap();
        let totals = Buffer::new(gpu, "totals", 8, Memory::Device).unwrap();
        let arguments = Buffer::new(gpu, "arguments", 12, Memory::Device).unwrap();
        let push = AddPush { size: SIZE.into(), amount: 1.0 };
        let record = |f: &mut Frame| -> Result<_> {
            f.upload(&a.mip(0), &vec![0f32; COUNT])?;
            f.fill("totals", &totals, 0)?;
            pass(f, "add/first", &add, [&b, &a])?;
            f.on(Queue::Compute, |f| pass(f, "add/async", &add, [&a, &b]))?;
            let counting = |f: &mut Frame| {
                f.compute("count", &count)
                    .bind("src", &a)
                    .bind("Totals", &totals)
                    .bind("Arguments", &arguments)
                    .dispatch_groups([1, 1, 1])
            };
            counting(f)?;
            counting(f)?;
            f.compute("add/indirect", &add)
                .bind("src", &a)
                .bind("dst", &b)
                .push(&push)
                .dispatch_indirect(&arguments, 0)?;
            f.raster("tint")
                .color(&tinted.mip(0), Some([0.0; 4]))
                .draw(tint.draw(3).bind("src", &a).push(&TintPush { gain: 0.5 }))
                .finish()?;
            f.blit("blit", &tinted.mip(0), &tinted.mip(1))?;
            Ok((f.read_buffer(&totals)?, f.read_image(&tinted.mip(0))?))
        };
        let ((totals, tinted), timing) = frames.once(record).unwrap();
        let rows: Vec<_> = timing.passes.iter().map(|p| (p.name.clone(), p.gpu_us)).collect();
        (totals.read::<u32>().unwrap(), tinted.read::<f32>().unwrap(), rows)
    });
    assert_eq!(sum, [2 * 4 * COUNT as u32, 2 * COUNT as u32]);
    assert!(texel.iter().all(|t| *t == 2.0), "{texel:?}");
    assert_eq!(rows[2].0, "add/first");
    assert!(rows.iter().all(|(_, us)| us.is_some_and(|us| us >= 0.0)), "{rows:?}");
}

/// Proves that the barriers above are necessary, and that validation is active.
#[test]
fn a_dropped_barrier_is_reported() {
    let said = under_validation(|gpu, frames| {
        let (a, b) = (image(gpu, "a"), image(gpu, "b"));
        let add = add(gpu);
        let mut frame = frames.begin().unwrap();
        frame.upload(&a.mip(0), &vec![0f32; COUNT]).unwrap();
        pass(&mut frame, "add", &add, [&b, &a]).unwrap();
        frame.forget_barriers = true;
        pass(&mut frame, "add", &add, [&a, &b]).unwrap();
        frames.submit(frame).unwrap();
        frames.wait().unwrap();
        gpu.messages().take()
    });
    assert!(said.iter().any(|m| m.contains("SYNC-HAZARD")), "expected a hazard, heard {said:?}");
}

#[test]
fn many_frames_reuse_their_slots() {
    let timings = under_validation(|gpu, frames| {
        let (a, b) = (image(gpu, "a"), image(gpu, "b"));
        let (add, mut seen) = (add(gpu), 0);
        for round in 0..50 {
            let mut frame = frames.begin().unwrap();
            let (from, to) = if round % 2 == 0 { (&a, &b) } else { (&b, &a) };
            let queue = if round % 3 == 0 { Queue::Compute } else { Queue::Graphics };
            if round == 0 {
                frame.upload(&a.mip(0), &vec![0f32; COUNT]).unwrap();
            }
            frame.on(queue, |f| pass(f, "add", &add, [to, from])).unwrap();
            frames.submit(frame).unwrap();
            assert!(frames.in_flight() <= 2);
        }
        let (read, _) = frames.once(|f| f.read_image(&a.mip(0))).unwrap();
        assert!(read.read::<f32>().unwrap().iter().all(|t| *t == 100.0));
        while frames.take_timing().is_some() {
            seen += 1;
        }
        seen
    });
    assert_eq!(timings, 50);
}

#[test]
fn a_frame_of_many_passes_has_all_its_times() {
    let times = under_validation(|gpu, _| {
        let buffer = Buffer::new(gpu, "filled", 4, Memory::Device).unwrap();
        let mut frames = Frames::new(gpu, 1);
        let many = |f: &mut Frame| (0..300).try_for_each(|word| f.fill("fill", &buffer, word));
        let mut times = || {
            let ((), timing) = frames.once(many).unwrap();
            timing.passes.iter().filter(|pass| pass.gpu_us.is_some()).count()
        };
        [times(), times()]
    });
    assert_eq!(times, [256, 300]);
}

#[test]
fn resources_may_go_while_the_gpu_uses_them() {
    under_validation(|gpu, frames| {
        let mut frame = frames.begin().unwrap();
        let (a, b) = (image(gpu, "a"), image(gpu, "b"));
        frame.upload(&a.mip(0), &vec![0f32; COUNT]).unwrap();
        pass(&mut frame, "add", &add(gpu), [&b, &a]).unwrap();
        drop((a, b));
        frames.submit(frame).unwrap();
    });
}

#[test]
fn a_dropped_frame_leaves_the_device_usable() {
    let texels = under_validation(|gpu, frames| {
        let a = image(gpu, "a");
        let mut frame = frames.begin().unwrap();
        frame.upload(&a.mip(0), &vec![3f32; COUNT]).unwrap();
        drop(frame);
        frames.once(|f| f.read_image(&a.mip(0))).unwrap().0.read::<f32>().unwrap()
    });
    assert!(texels.iter().all(|t| *t == 3.0));
}

#[test]
fn mistakes_are_reported() {
    under_validation(|gpu, frames| {
        let told = |e: Error, words: &[&str]| {
            let text = e.to_string();
            assert!(words.iter().all(|word| text.contains(word)), "{text}");
        };
        let new = |constants: &[(&str, u32)]| ComputePipeline::new(gpu, "gpu/add.comp", constants);
        told(new(&[("TYMES", 1)]).err().unwrap(), &["TYMES", "TIMES"]);
        told(new(&[]).unwrap().with_push::<WrongPush>().err().unwrap(), &["Rust: amount@0", "GLSL: size@0"]);
        told(ComputePipeline::new(gpu, "gpu/none.comp", &[]).err().unwrap(), &["gpu/none.comp", "no such shader"]);
        let (a, b, add) = (image(gpu, "a"), image(gpu, "b"), add(gpu));
        let push = AddPush { size: SIZE.into(), amount: 1.0 };
        let mut frame = frames.begin().unwrap();
        let done = frame.compute("typo", &add).bind("source", &a).bind("dst", &b).push(&push).dispatch(SIZE);
        told(done.unwrap_err(), &["typo", "nothing bound to src", "no such binding: source"]);
        let done = frame.compute("no push", &add).bind("src", &a).bind("dst", &b).dispatch(SIZE);
        told(done.unwrap_err(), &["0 bytes", "12"]);
        told(pass(&mut frame, "same", &add, [&a, &a]).unwrap_err(), &["same", "a is touched"]);
        let buffer = Buffer::new(gpu, "buffer", 4, Memory::Device).unwrap();
        let done = frame.compute("kind", &add).bind("src", &buffer).bind("dst", &b).push(&push).dispatch(SIZE);
        told(done.unwrap_err(), &["src", "an image"]);
        let sampled = Image::new(gpu, ImageDesc::new("sampled", SIZE, Format::R32F, &[Use::Sample])).unwrap();
        told(pass(&mut frame, "use", &add, [&b, &sampled]).unwrap_err(), &["src", "without Storage"]);
        told(frame.upload(&a.mip(0), &[1f32]).unwrap_err(), &["4 bytes", "3108"]);
    });
}

#[test]
fn texels_are_whole_and_asked_for_once() {
    under_validation(|gpu, _| {
        let buffer = |bytes| Buffer::new(gpu, "list", bytes, Memory::Device).unwrap();
        let told = |made: Result<()>| made.unwrap_err().to_string();
        assert!(told(buffer(20).read_as_texels(Format::Rg32U)).contains("20 bytes as texels of 8"));
        let list = buffer(24);
        assert!(list.texels().unwrap_err().to_string().contains("made without"));
        list.read_as_texels(Format::Rg32U).unwrap();
        assert!(list.texels().is_ok());
        assert!(told(list.read_as_texels(Format::R32U)).contains("twice"));
    });
}

#[test]
fn a_gpu_that_cannot_be_opened_is_named_and_the_next_one_is_used() {
    use super::device_list::first_to_open;
    let open = |name: &'static str| match name {
        "good" => Ok(name),
        _ => Err(Error::refused("vkCreateDevice", ash::vk::Result::ERROR_INITIALIZATION_FAILED)),
    };
    let named =
        |names: &[&'static str]| names.iter().map(|name| (format!("the {name} card"), *name)).collect::<Vec<_>>();
    assert!(first_to_open(named(&["bad", "good", "worse"]), open).is_ok_and(|name| name == "good"));
    let said = first_to_open(named(&["bad", "worse"]), open).unwrap_err().to_string();
    assert!(
        said.contains("the bad card cannot be opened: vkCreateDevice: ") && said.contains("the worse card"),
        "{said}"
    );
}
