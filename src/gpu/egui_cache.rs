//! Cached layer of unchanged panels, composited over each picture: premultiplied compositing is associative, so only
//! the rounding to the layer's 8 bits differs. A small change repaints only the pixels around it.
use super::egui_damage::{area, changed, covered};
use super::{
    Blend, Format, Frame, Gpu, Image, ImageDesc, ImageSlot, ImageView, PipelineCache, RasterDesc, RasterPipeline,
    Result, Sampler, Use,
};
use egui::ClippedPrimitive;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum PanelDraw {
    Onto,
    Layer,
    Parts(Vec<[i32; 4]>),
    Lay,
}

pub(super) struct UiLayer {
    gpu: Arc<Gpu>,
    lays: PipelineCache<Format, RasterPipeline>,
    image: ImageSlot,
    last: Vec<ClippedPrimitive>,
    covered: Vec<[i32; 4]>,
    pixels_per_point: f32,
    is_painted: bool,
}

impl UiLayer {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            lays: PipelineCache::default(),
            image: ImageSlot::default(),
            last: Vec::new(),
            covered: Vec::new(),
            pixels_per_point: 0.0,
            is_painted: false,
        }
    }

    pub fn way(&mut self, panels: &[ClippedPrimitive], pixels_per_point: f32, same_textures: bool) -> PanelDraw {
        let same = same_textures && self.pixels_per_point == pixels_per_point;
        let parts = changed(&self.last, panels, pixels_per_point).filter(|_| same);
        let parts = parts.filter(|parts| parts.is_empty() || 2 * area(parts) <= area(&self.covered));
        if parts.as_ref().is_none_or(|parts| !parts.is_empty()) {
            (self.last, self.pixels_per_point) = (panels.to_vec(), pixels_per_point);
            self.covered = covered(panels, pixels_per_point);
        }
        self.is_painted &= parts.is_some();
        match parts {
            None => PanelDraw::Onto,
            Some(_) if !self.is_painted => PanelDraw::Layer,
            Some(parts) if parts.is_empty() => PanelDraw::Lay,
            Some(parts) => PanelDraw::Parts(parts),
        }
    }

    /// Empty if it was recreated.
    pub fn image(&mut self, target: &ImageView) -> Result<Image> {
        let fits = |image: &Image| image.size() == target.size() && image.format() == target.format();
        self.is_painted &= self.image.get().is_some_and(fits);
        let uses = [Use::Color, Use::Sample];
        self.image.fit(&self.gpu, ImageDesc::new("ui layer", target.size(), target.format(), &uses))
    }

    pub fn is_painted(&self) -> bool {
        self.is_painted
    }

    pub fn lay(&mut self, frame: &mut Frame, image: &Image, target: &ImageView) -> Result<()> {
        self.is_painted = true;
        if self.covered.is_empty() {
            return Ok(());
        }
        let pipeline = self.lays.get(target.format(), |format| {
            let shaders = ["include/screen.vert", "gpu/lay.frag"].map(String::from).to_vec();
            let blend = Blend::Premultiplied;
            RasterPipeline::new(&self.gpu, RasterDesc { shaders, color: vec![*format], blend, ..Default::default() })
        })?;
        let mut raster = frame.raster("ui/panels").color(target, None);
        for only in &self.covered {
            let layer = image.mip(0).through(Sampler::NearestClamp);
            raster = raster.draw(pipeline.draw(3).bind("layer", layer).scissor(*only));
        }
        raster.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, Mesh, Rect, epaint::Primitive, pos2, vec2};

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
        assert_eq!(layer.way(&one, 1.0, true), PanelDraw::Onto);
        assert_eq!(layer.way(&other, 1.0, true), PanelDraw::Onto);
        assert_eq!(layer.way(&other, 1.0, true), PanelDraw::Layer);
        layer.is_painted = true;
        assert_eq!(layer.way(&other, 1.0, true), PanelDraw::Lay);
        for (panels, scale, same_textures) in [(&other, 1.0, false), (&other, 2.0, true), (&one, 2.0, true)] {
            layer.is_painted = true;
            assert_eq!(layer.way(panels, scale, same_textures), PanelDraw::Onto, "{scale} {same_textures}");
            assert!(!layer.is_painted());
        }
        assert_eq!(layer.way(&[panel(4.0, Color32::BLACK)], 2.0, true), PanelDraw::Onto);
    }

    #[test]
    fn little_that_changes_is_painted_alone() {
        let gpu = Gpu::headless(true).unwrap();
        let mut layer = UiLayer::new(&gpu);
        let two = |left: f32| [panel(4.0, Color32::WHITE), panel(50.0, Color32::WHITE), panel(left, Color32::WHITE)];
        assert_eq!(layer.way(&two(80.0), 1.0, true), PanelDraw::Onto);
        assert_eq!(layer.way(&two(81.0), 1.0, true), PanelDraw::Layer);
        layer.is_painted = true;
        assert_eq!(layer.way(&two(80.0), 1.0, true), PanelDraw::Parts(vec![[79, 2, 93, 10]]));
        assert!(layer.is_painted());
        assert_eq!(layer.way(&two(80.0), 1.0, true), PanelDraw::Lay);
        assert_eq!(layer.way(&two(82.0), 1.0, false), PanelDraw::Onto);
    }
}
