//! Panels that stay as they are from frame to frame are painted once, on a layer of their own, and laid over each picture.
//!
//! What egui paints is premultiplied, and laying one thing over another is associative: panels painted on nothing and laid over the
//! picture look as if they had been painted on it, but for what the layer's 8 bits round.
use super::{
    Blend, Format, Frame, Gpu, Image, ImageDesc, ImageView, PipelineCache, RasterDesc, RasterPipeline, Result, Sampler,
    Use,
};
use egui::{ClippedPrimitive, Rect, epaint::Primitive};
use std::sync::Arc;

/// What there is to do with this frame's panels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    /// They are others than in the last frame: paint them on the picture.
    Onto,
    /// They are those of the last frame: paint them on the layer, and lay that over the picture.
    Layer,
    /// The layer has them.
    Lay,
}

/// The layer, and what is on it.
pub(super) struct UiLayer {
    gpu: Arc<Gpu>,
    lays: PipelineCache<Format, RasterPipeline>,
    image: Option<Image>,
    last: Vec<ClippedPrimitive>,
    pixels_per_point: f32,
    is_painted: bool,
}

impl UiLayer {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        let (lays, image, last, is_painted) = Default::default();
        Self { gpu: gpu.clone(), lays, image, last, pixels_per_point: 0.0, is_painted }
    }

    /// What to do with `panels`. `same_textures`: what they show of textures is what it was in the last frame.
    pub fn way(&mut self, panels: &[ClippedPrimitive], pixels_per_point: f32, same_textures: bool) -> Way {
        let same = same_textures && self.pixels_per_point == pixels_per_point && are_same(&self.last, panels);
        if !same {
            (self.last, self.pixels_per_point, self.is_painted) = (panels.to_vec(), pixels_per_point, false);
            return Way::Onto;
        }
        if self.is_painted { Way::Lay } else { Way::Layer }
    }

    /// An image as `target` is, to be painted on; whatever way was said, nothing is on it yet if it is another than before.
    pub fn image(&mut self, target: &ImageView) -> Result<Image> {
        match &self.image {
            Some(image) if image.size() == target.size() && image.format() == target.format() => Ok(image.clone()),
            _ => {
                self.is_painted = false;
                let uses = [Use::Color, Use::Sample];
                let made = Image::new(&self.gpu, ImageDesc::new("ui layer", target.size(), target.format(), &uses))?;
                Ok(self.image.insert(made).clone())
            }
        }
    }

    /// Whether the panels are on the image.
    pub fn is_painted(&self) -> bool {
        self.is_painted
    }

    /// Lays the image, on which the panels are now, over `target`.
    pub fn lay(&mut self, frame: &mut Frame, image: &Image, target: &ImageView) -> Result<()> {
        self.is_painted = true;
        let Some(only) = bounds_px(&self.last, self.pixels_per_point) else { return Ok(()) };
        let pipeline = self.lays.get(target.format(), |format| {
            let shaders = ["include/screen.vert", "gpu/lay.frag"].map(String::from).to_vec();
            let blend = Blend::Premultiplied;
            RasterPipeline::new(&self.gpu, RasterDesc { shaders, color: vec![*format], blend, ..Default::default() })
        })?;
        let layer = image.mip(0).through(Sampler::NearestClamp);
        let draw = pipeline.draw(3).bind("layer", layer).scissor(only);
        frame.raster("ui/panels").color(target, None).draw(draw).finish()
    }
}

fn are_same(a: &[ClippedPrimitive], b: &[ClippedPrimitive]) -> bool {
    let same = |(a, b): (&ClippedPrimitive, &ClippedPrimitive)| match (&a.primitive, &b.primitive) {
        (Primitive::Mesh(mesh), Primitive::Mesh(other)) => a.clip_rect == b.clip_rect && mesh == other,
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// Whole pixels around everything that is painted: left, top, right, bottom; nothing where there is nothing.
fn bounds_px(panels: &[ClippedPrimitive], pixels_per_point: f32) -> Option<[i32; 4]> {
    let mut all = Rect::NOTHING;
    for panel in panels {
        if let Primitive::Mesh(mesh) = &panel.primitive {
            all |= mesh.calc_bounds().intersect(panel.clip_rect);
        }
    }
    let px = |points: f32, out: f32| (points * pixels_per_point + out) as i32;
    all.is_positive().then(|| [px(all.min.x, -1.0), px(all.min.y, -1.0), px(all.max.x, 2.0), px(all.max.y, 2.0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, Mesh, pos2, vec2};

    fn panel(left: f32, color: Color32) -> ClippedPrimitive {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(Rect::from_min_size(pos2(left, 3.0), vec2(10.0, 5.0)), color);
        let clip_rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 100.0));
        ClippedPrimitive { clip_rect, primitive: Primitive::Mesh(mesh) }
    }

    #[test]
    fn only_panels_that_stay_are_put_on_the_layer() {
        let gpu = Gpu::headless(true).unwrap();
        let mut layer = UiLayer::new(&gpu);
        let (one, other) = ([panel(4.0, Color32::WHITE)], [panel(5.0, Color32::WHITE)]);
        assert_eq!(layer.way(&one, 1.0, true), Way::Onto);
        assert_eq!(layer.way(&other, 1.0, true), Way::Onto);
        assert_eq!(layer.way(&other, 1.0, true), Way::Layer);
        layer.is_painted = true;
        assert_eq!(layer.way(&other, 1.0, true), Way::Lay);
        for (panels, scale, same_textures) in [(&other, 1.0, false), (&other, 2.0, true), (&one, 2.0, true)] {
            layer.is_painted = true;
            assert_eq!(layer.way(panels, scale, same_textures), Way::Onto, "{scale} {same_textures}");
            assert!(!layer.is_painted());
        }
        assert_eq!(layer.way(&[panel(4.0, Color32::BLACK)], 2.0, true), Way::Onto);
    }

    #[test]
    fn bounds_hold_what_is_painted() {
        assert_eq!(bounds_px(&[], 1.0), None);
        let two = [panel(4.0, Color32::WHITE), panel(95.0, Color32::WHITE)];
        assert_eq!(bounds_px(&two, 2.0), Some([7, 5, 202, 18]));
    }
}
