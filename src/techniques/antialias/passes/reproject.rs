//! Depth-based reprojection of a finished picture to a later camera.

use super::history::before_from_now;
use base::timing::PassId;
use glam::{Mat4, UVec2, Vec2};
use gpu::{
    ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, ImageSlot, ImageView, PipelineCache, RasterDesc,
    RasterPipeline, Result, Sampler, Use, gpu_struct,
};
use scene::world::Camera;
use std::sync::Arc;
use technique::DrawnBy;

pub const FRONT: PassId = PassId::new("antialias/front");
pub const REPROJECT: PassId = PassId::new("antialias/reproject");

gpu_struct! {
    pub struct ReprojectPush {
        pub now_from_then: Mat4,
        pub texel: Vec2,
        pub shift: Vec2,
    }
}

struct DepthView {
    front: Image,
    camera: Camera,
}

#[derive(Default)]
pub struct Reprojection {
    fronts: PipelineCache<()>,
    raster_fronts: PipelineCache<(), RasterPipeline>,
    reprojections: PipelineCache<()>,
    raster_reprojections: PipelineCache<(), RasterPipeline>,
    depth_view: Option<DepthView>,
    front: ImageSlot,
    reprojected: ImageSlot,
}

const USES: [Use; 3] = [Use::Sample, Use::Storage, Use::Color];

fn raster_pipeline(gpu: &Arc<Gpu>, fragment: &str, color: Format) -> Result<RasterPipeline> {
    let shaders = vec!["include/screen.vert".into(), fragment.into()];
    RasterPipeline::new(gpu, RasterDesc { shaders, color: vec![color], ..Default::default() })
}

impl Reprojection {
    /// `camera` includes the shift; the depth image may be overwritten afterwards.
    pub fn keep(&mut self, frame: &mut Frame, by: DrawnBy, depth: &ImageView, camera: &Camera) -> Result<()> {
        let gpu = frame.gpu().clone();
        self.depth_view = None;
        let desc = ImageDesc::new("antialias front", depth.size(), Format::R32F, &USES);
        let front = self.front.fit(&gpu, desc)?;
        let depth = depth.clone().through(Sampler::NearestClamp);
        if by.draws_all(&gpu) {
            let pipeline =
                self.raster_fronts.get((), |()| raster_pipeline(&gpu, "antialias/front.frag", Format::R32F))?;
            let draw = pipeline.draw(3).bind("depth", depth);
            frame.raster(FRONT).color(&front.mip(0), None).draw(draw).finish()?;
        } else {
            let pipeline = self.fronts.get((), |()| ComputePipeline::new(&gpu, "antialias/front.comp", &[]))?;
            let pass = frame.compute(FRONT, &pipeline).bind("depth", depth);
            pass.bind("front", front.mip(0)).dispatch(front.size())?;
        }
        self.depth_view = Some(DepthView { front, camera: *camera });
        Ok(())
    }

    pub fn front(&self) -> Option<ImageView> {
        self.depth_view.as_ref().map(|drawn| drawn.front.mip(0))
    }

    pub fn forget(&mut self) {
        self.depth_view = None;
    }

    /// As [`Accumulator::reproject`](crate::accumulator::Accumulator::reproject).
    pub fn record(
        &mut self,
        frame: &mut Frame,
        by: DrawnBy,
        picture: &ImageView,
        now: &Camera,
    ) -> Result<Option<ImageView>> {
        let Some(drawn) = &self.depth_view else { return Ok(None) };
        let gpu = frame.gpu().clone();
        let desc = ImageDesc::new("antialias reprojected", picture.size(), Format::Rgba8, &USES);
        let moved = self.reprojected.fit(&gpu, desc)?;
        let push = push_of(&drawn.camera, now, picture.size(), drawn.front.size());
        let sampled = picture.clone().through(Sampler::LinearClamp);
        let front = drawn.front.mip(0).through(Sampler::NearestClamp);
        if by.draws_all(&gpu) {
            let pipeline = self.raster_reprojections.get((), |()| {
                raster_pipeline(&gpu, "antialias/reproject.frag", Format::Rgba8)?.with_push::<ReprojectPush>()
            })?;
            let draw = pipeline.draw(3).bind("picture", sampled).bind("front", front).push(&push);
            frame.raster(REPROJECT).color(&moved.mip(0), None).draw(draw).finish()?;
        } else {
            let pipeline = self.reprojections.get((), |()| {
                ComputePipeline::new(&gpu, "antialias/reproject.comp", &[])?.with_push::<ReprojectPush>()
            })?;
            let pass = frame.compute(REPROJECT, &pipeline).bind("picture", sampled).bind("front", front);
            pass.bind("moved", moved.mip(0)).push(&push).dispatch(moved.size())?;
        }
        Ok(Some(moved.mip(0)))
    }
}

/// For a picture that `then` saw with depths at `samples`.
pub fn push_of(then: &Camera, now: &Camera, whole: [u32; 2], samples: [u32; 2]) -> ReprojectPush {
    ReprojectPush {
        now_from_then: before_from_now(now, then, whole),
        texel: UVec2::from_array(whole).as_vec2().recip(),
        shift: then.shift / UVec2::from_array(samples).as_vec2(),
    }
}

/// Degrees, and parts of the distance to the target, since the reprojected picture: what comes into sight is not in it.
const DEGREES_MOST: f32 = 1.0;
const MOVE_MOST: f32 = 0.02;
const FRAMES: f32 = 5.0;

/// And the next ones: the camera was at `before` in the frame before.
pub fn can_reproject(drawn: &Camera, before: &Camera, now: &Camera) -> bool {
    let ahead = |camera: &Camera| (camera.target - camera.eye).normalize_or_zero();
    let within = |a: &Camera, b: &Camera, part: f32| {
        let far = (a.target - a.eye).length().min((b.target - b.eye).length());
        // A cosine so close to 1 has no digits left.
        let turned = 2.0 * (0.5 * ahead(a).distance(ahead(b))).asin();
        turned <= part * DEGREES_MOST.to_radians()
            && a.eye.distance(b.eye) <= part * MOVE_MOST * far
            && a.angle == b.angle
    };
    within(drawn, now, 1.0) && within(before, now, 1.0 / FRAMES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::world::Viewpoint;

    #[test]
    fn slow_cameras_are_followed_and_quick_ones_are_not() {
        let at = |orbit| Viewpoint { orbit, ..Viewpoint::default() }.camera();
        assert!(can_reproject(&at(0.0), &at(0.4), &at(0.45)));
        assert!(!can_reproject(&at(0.0), &at(5.0), &at(5.01)), "too far away");
        assert!(!can_reproject(&at(0.0), &at(0.0), &at(1.0)), "the next ones would be");
        let near = Viewpoint { distance: 0.9 * Viewpoint::default().distance, ..Viewpoint::default() }.camera();
        assert!(!can_reproject(&at(0.0), &near, &near));
        let wide = Camera { angle: 1.3, ..at(0.0) };
        assert!(!can_reproject(&wide, &at(0.0), &at(0.0)));
    }

    #[test]
    fn nothing_moves_where_the_camera_stays() {
        let camera = Camera { shift: Vec2::new(0.25, -0.5), ..Viewpoint::default().camera() };
        let push = push_of(&camera, &camera, [640, 360], [320, 180]);
        assert!(push.now_from_then.abs_diff_eq(Mat4::IDENTITY, 1e-6));
        assert_eq!(
            (push.texel, push.shift),
            (Vec2::new(1.0 / 640.0, 1.0 / 360.0), Vec2::new(0.25 / 320.0, -0.5 / 180.0))
        );
    }
}
