//! Tests of the line about an edited shader.

use super::ReloadWatch;
use crate::gpu::shader_compiler::{Compiler, files};
use crate::gpu::{ComputePipeline, Format, Frame, Frames, Gpu, Image, ImageDesc, PassCapture, Use};
use crate::gpu_struct;
use glam::UVec2;
use std::sync::Arc;

gpu_struct! { struct AddPush { size: UVec2, amount: f32 } }

const FILE: &str = "gpu/add.comp";
const SIZE: [u32; 2] = [640, 480];

/// An image to which each frame adds.
struct Adder {
    gpu: Arc<Gpu>,
    frames: Frames,
    add: ComputePipeline,
    images: [Image; 2],
    watch: ReloadWatch,
}

impl Adder {
    fn new() -> Self {
        let gpu = Gpu::headless(true).unwrap();
        let add = ComputePipeline::new(&gpu, FILE, &[("TIMES", 2)]).unwrap();
        let images = ["src", "dst"]
            .map(|name| Image::new(&gpu, ImageDesc::new(name, SIZE, Format::R32F, &[Use::Storage])).unwrap());
        let mut frames = Frames::new(&gpu, 1);
        let texels: Vec<f32> = (0..SIZE[0] * SIZE[1]).map(|n| n as f32).collect();
        frames.once(|frame| frame.upload(&images[0].mip(0), &texels)).unwrap();
        Self { gpu, frames, add, images, watch: ReloadWatch::default() }
    }

    /// Takes an edited text as the watcher does.
    fn edit(&self, part: &str, by: &str) {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
        let read = files(&root);
        let edited = |file: &str| {
            let text = read(file)?;
            assert!(file != FILE || text.contains(part), "{part}");
            Ok(if file == FILE { text.replace(part, by) } else { text })
        };
        let words = Compiler::new().unwrap().compile(&edited, FILE).unwrap();
        self.gpu.shaders.replace(FILE, words);
    }

    fn record(&self, frame: &mut Frame, amount: f32) -> crate::gpu::Result<()> {
        let [src, dst] = &self.images;
        let push = AddPush { size: SIZE.into(), amount };
        frame.compute("test/add", &self.add).bind("src", src).bind("dst", dst).push(&push).dispatch(SIZE)
    }

    /// Frames until the line; `amount`: what each adds.
    fn line(&mut self, amount: impl Fn(u32) -> f32) -> String {
        self.watch.begin(&self.gpu, self.gpu.shaders.take_reloads());
        for number in 0..200 {
            let mut watch = std::mem::take(&mut self.watch);
            let mut frame = self.frames.begin().unwrap();
            let mut capture = PassCapture::default();
            capture.set_points(&watch.points());
            frame.begin_capture(capture);
            self.record(&mut frame, amount(number)).unwrap();
            let capture = frame.end_capture();
            watch.record(&mut frame, &capture).unwrap();
            self.frames.submit(frame).unwrap();
            self.frames.wait().unwrap();
            while let Some(timing) = self.frames.take_timing() {
                watch.on_timing(&self.gpu, &timing).unwrap();
            }
            self.watch = watch;
            if let Some(line) = self.watch.take_line() {
                assert!(!self.watch.is_running());
                return line;
            }
        }
        panic!("no line");
    }

    fn first_texel(&mut self) -> f32 {
        let view = self.images[1].mip(0);
        let mut frames = Frames::new(&self.gpu, 1);
        frames.once(|frame| self.record(frame, 1.0)).unwrap();
        frames.once(|frame| frame.read_image(&view)).unwrap().0.read::<f32>().unwrap()[0]
    }
}

#[test]
fn an_edit_is_one_line_with_times_and_texels() {
    let mut adder = Adder::new();
    // The upper 10 rows.
    adder.edit("+ push.amount", "+ (at.y < 10u ? 3.0 : 1.0) * push.amount");
    let line = adder.line(|_| 1.0);
    assert!(line.starts_with("gpu/add.comp: test/add "), "{line}");
    assert!(line.contains(" -> ") && line.contains("s ("), "{line}");
    assert!(line.ends_with("; 6400 of 307200 texels of dst differ"), "{line}");
    assert_eq!(adder.first_texel(), 6.0, "the new version stays");
    // An edit of the edited one that changes nothing.
    adder.edit("+ push.amount", "+ (at.y < 10u ? 1.0 + 2.0 : 1.0) * push.amount");
    let line = adder.line(|_| 1.0);
    assert!(line.ends_with("; 0 of 307200 texels of dst differ"), "{line}");
}

#[test]
fn what_changes_by_itself_is_not_compared() {
    let mut adder = Adder::new();
    adder.edit("+ push.amount", "- push.amount");
    let line = adder.line(|number| number as f32);
    assert!(line.ends_with("; dst changes from frame to frame by itself"), "{line}");
}

#[test]
fn a_shader_without_a_pass_says_so() {
    let mut adder = Adder::new();
    adder.edit("+ push.amount", "- push.amount");
    adder.gpu.shaders.take_reloads();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let words = Compiler::new().unwrap().compile(&files(&root), "lab/spin.comp").unwrap();
    adder.gpu.shaders.replace("lab/spin.comp", words);
    assert_eq!(adder.line(|_| 1.0), "lab/spin.comp: no pass of this frame uses it");
}
