//! Passes of the views.

use super::{
    culling::{CULLED, DRAWN, Phase},
    targets::no_images,
};
use crate::{
    Meshlets, MeshletsSettings,
    pass::{DrawKind, OVERLAY, PassTarget, PassView},
    view_uniforms::{Eye, ViewPush},
    views,
    visibility::ImageKey,
};
use gpu::{Frame, Image, ImageDesc, ImageView, Result, Sampler, Use};
use technique::{Technique as _, WorldFrame};

impl Meshlets {
    /// Encoded, over a storage image of 8 bits a channel. The last `record` is shown if it matches, else drawn again.
    pub fn view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &MeshletsSettings,
        WorldFrame { resident: world, camera, .. }: &WorldFrame,
        picture: &ImageView,
    ) -> Result<()> {
        let view = Self::view_index(name)?;
        let size = picture.size();
        self.update_history(frame, world)?;
        let is_drawn = |drawn: &ImageKey| (&drawn.camera, drawn.size, &drawn.settings) == (camera, size, settings);
        if !self.drawn.as_ref().is_some_and(is_drawn) {
            self.record(frame, settings, world, camera, size)?;
        }
        let path = self.path(settings.by);
        let drawn_by = self.drawn.as_ref().map_or(path, |drawn| drawn.path);
        self.fit(size, drawn_by)?;
        let (Some(history), Some(targets)) = (&self.history, self.targets.first()) else { return Err(no_images()) };
        let eye = frame.data("meshlets eye", &[Eye::of_camera(camera, size, &targets.levels)])?;
        let extra = match name {
            views::OVERDRAW => Some((DrawKind::Overdraw, DRAWN)),
            views::CULLED => Some((DrawKind::Fates, CULLED)),
            _ => None,
        };
        let nearest = |image: &Image| image.mip(0).through(Sampler::NearestClamp);
        let mut layer = nearest(&targets.depth);
        if let Some((kind, mask)) = extra {
            let desc = ImageDesc::new("meshlets layer", size, OVERLAY, &[Use::Color, Use::Sample]);
            let image = self.images.layer.fit(&self.gpu, desc)?;
            layer = nearest(&image);
            history.clear(frame)?;
            let (pyramid, culls_triangles) = (&targets.pyramid, settings.triangles);
            let pass_view = PassView { world, history, eye: &eye, pyramid, path, pixels: None, culls_triangles };
            let mut target = PassTarget { kind, color: Some(&image.mip(0)), depth: None, is_clear: false };
            self.pipelines.record(frame, &pass_view, Phase::Select(mask), &mut target)?;
        }
        frame
            .compute("meshlets/view", &self.view)
            .bind_named(world.bindings())
            .bind("Eye", &eye)
            .bind("ids", nearest(&targets.ids))
            .bind("depth", nearest(&targets.depth))
            .bind("layer", layer)
            .bind("picture", picture)
            .push(&ViewPush { view, path: drawn_by as u32 })
            .dispatch(size)
    }
}
