//! Tests of stencils and read-only depth on a device.
use super::*;
use crate::gpu_struct;

gpu_struct! { struct CoverPush { right: f32, depth: f32, value: f32 } }

const SIZE: [u32; 2] = [8, 3];

fn row(record: impl FnOnce(&mut Frame, &std::sync::Arc<Gpu>, &ImageView, &ImageView) -> Result<()>) -> Vec<f32> {
    let gpu = Gpu::headless(true).unwrap();
    let mut frames = Frames::new(&gpu, 1);
    let format = Format::Depth32FStencil8;
    let depth = Image::new(&gpu, ImageDesc::new("depth", SIZE, format, &[Use::Depth, Use::Sample])).unwrap();
    let target = Image::new(&gpu, ImageDesc::new("target", SIZE, Format::R32F, &[Use::Color, Use::Sample])).unwrap();
    let mark = RasterPipeline::new(
        &gpu,
        RasterDesc {
            shaders: vec!["gpu/cover.vert".into()],
            depth: Some(format),
            stencil: Some(Stencil { passes: StencilTest::Always, leaves: StencilWrite::Reference, reference: 3 }),
            ..Default::default()
        },
    )
    .unwrap();
    let push = CoverPush { right: 0.0, depth: 0.5, value: 0.0 };
    let (read, _) = frames
        .once(|frame| -> Result<_> {
            let draw = mark.draw(6).push(&push);
            frame.raster("mark").depth(&depth.mip(0), Some(0.0)).draw(draw).finish()?;
            frame.clear("clear", &target.mip(0), [0.0; 4])?;
            record(frame, &gpu, &depth.mip(0), &target.mip(0))?;
            frame.read_image(&target.mip(0))
        })
        .unwrap();
    let texels = read.read::<f32>().unwrap();
    let (first, rest) = texels.split_at(SIZE[0] as usize);
    assert!(rest.chunks(SIZE[0] as usize).all(|row| row == first), "every row is the same: {texels:?}");
    first.to_vec()
}

fn pipeline(gpu: &std::sync::Arc<Gpu>, shaders: [&str; 2], stencil: Option<Stencil>) -> RasterPipeline {
    let desc = RasterDesc {
        shaders: shaders.map(String::from).to_vec(),
        color: vec![Format::R32F],
        depth: Some(Format::Depth32FStencil8),
        depth_read_only: true,
        stencil,
        blend: Blend::Add,
        ..Default::default()
    };
    RasterPipeline::new(gpu, desc).unwrap()
}

#[test]
fn a_stencil_keeps_draws_where_it_says() {
    for (passes, expected) in [
        (StencilTest::Equal, [1.5, 1.5, 1.5, 1.5, 0.0, 0.0, 0.0, 0.0]),
        (StencilTest::NotEqual, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]),
        (StencilTest::Always, [1.5, 1.5, 1.5, 1.5, 1.0, 1.0, 1.0, 1.0]),
    ] {
        let found = row(|frame, gpu, depth, target| {
            let stencil = Stencil { passes, leaves: StencilWrite::Keep, reference: 3 };
            let pipeline = pipeline(gpu, ["gpu/cover.vert", "gpu/cover.frag"], Some(stencil));
            let push = CoverPush { right: 1.0, depth: 1.0, value: 1.0 };
            let draw = pipeline.draw(6).bind("depths", depth.clone().through(Sampler::NearestClamp)).push(&push);
            frame.raster("masked").color(target, None).depth_read_only(depth).draw(draw).finish()
        });
        assert_eq!(found, expected, "{passes:?}");
    }
}

#[test]
fn a_read_only_depth_is_tested_and_sampled_at_once() {
    let found = row(|frame, gpu, depth, target| {
        let pipeline = pipeline(gpu, ["gpu/cover.vert", "gpu/cover.frag"], None);
        for (depth_of_draw, value) in [(0.25, 2.0), (0.5, 4.0), (0.75, 8.0)] {
            let push = CoverPush { right: 1.0, depth: depth_of_draw, value };
            let draw = pipeline.draw(6).bind("depths", depth.clone().through(Sampler::NearestClamp)).push(&push);
            frame.raster("soft").color(target, None).depth_read_only(depth).draw(draw).finish()?;
        }
        Ok(())
    });
    assert_eq!(found, [13.0, 13.0, 13.0, 13.0, 14.0, 14.0, 14.0, 14.0]);
}

#[test]
fn counting_stencils_count_layers() {
    let found = row(|frame, gpu, depth, target| {
        let desc = |stencil| RasterDesc {
            shaders: vec!["gpu/cover.vert".into()],
            depth: Some(Format::Depth32FStencil8),
            stencil: Some(stencil),
            ..Default::default()
        };
        let count = Stencil { passes: StencilTest::Always, leaves: StencilWrite::Increment, reference: 0 };
        let count = RasterPipeline::new(gpu, desc(count))?;
        let layer = |right, depth| count.draw(6).push(&CoverPush { right, depth, value: 0.0 });
        frame.raster("count").depth(depth, None).draw(layer(1.0, 0.6)).draw(layer(-0.5, 0.7)).finish()?;
        for (reference, value) in [(5, 1.0), (4, 2.0), (1, 4.0)] {
            let stencil = Stencil { passes: StencilTest::Equal, leaves: StencilWrite::Keep, reference };
            let pipeline = pipeline(gpu, ["gpu/cover.vert", "gpu/cover.frag"], Some(stencil));
            let push = CoverPush { right: 1.0, depth: 1.0, value };
            let draw = pipeline.draw(6).bind("depths", depth.clone().through(Sampler::NearestClamp)).push(&push);
            frame.raster("counted").color(target, None).depth_read_only(depth).draw(draw).finish()?;
        }
        Ok(())
    });
    let near = |a: f32, b: f32| (a - b).abs() < 1e-6;
    let expected = [1.7, 1.7, 2.6, 2.6, 4.6, 4.6, 4.6, 4.6];
    assert!(found.iter().zip(expected).all(|(a, b)| near(*a, b)), "{found:?}");
}
