//! Picture, glass and view drawn into the target.

use super::{
    Renderer,
    active_view::{ActiveView, ViewPlacement},
    frame::FrameParams,
    targets::Layer,
};
use base::boxes::Boxes;
use glass::{BoxBlurRequest, GlassInput, GlassStack};
use gpu::{Frame, ImageView, RasterDesc, RasterPipeline, Result, Sampler};
use technique::{BoxBlur, FrameContext};

impl Renderer {
    pub(super) fn present(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        stack: &GlassStack,
        target: &ImageView,
        below: Option<&Layer>,
    ) -> Result<()> {
        let background = self.targets.background()?.clone();
        let seen = below.unwrap_or(&background);
        let (picture, behind) = (seen.picture.mip(0), background.picture.mip(0));
        let is_layered = stack.layers() > 1;
        if !is_layered {
            self.show(frame, "renderer/picture", &behind, target, None)?;
        }
        let boxed = self.boxed(frame, params, &seen.chain.mip(0), stack.boxes(picture.size()))?;
        let (chain, around, boxed) = (&seen.chain, &background.chain, boxed.as_ref());
        let below = GlassInput { picture: &picture, chain, behind: &behind, around, boxed };
        self.techniques.glass.press = params.press;
        if !is_layered {
            return self.techniques.glass.record_layer(frame, stack, 0, below, target);
        }
        let lower = self.targets.lower_lenses()?.clone();
        let onto = lower.picture.mip(0);
        self.show(frame, "renderer/below", &behind, &onto, None)?;
        let (mips, how, chain) = (&self.techniques.mip_chain, &params.settings.mip_chain, &lower.chain);
        let reduce = |frame: &mut Frame, part| mips.record_near(frame, how, &onto, chain, part).map(drop);
        let below = self.techniques.glass.record_lower_layers(frame, stack, below, (&onto, chain), reduce)?;
        self.show(frame, "renderer/picture", &onto, target, None)?;
        self.techniques.glass.record_layer(frame, stack, stack.layers() - 1, below, target)
    }

    pub(super) fn boxed(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        light: &ImageView,
        wanted: Option<BoxBlurRequest>,
    ) -> Result<Option<BoxBlur>> {
        let Some(BoxBlurRequest { sigma, part }) = wanted else { return Ok(None) };
        let settings = &params.settings.summed_area;
        self.techniques.summed_area.blur(frame, settings, light, Boxes::of(sigma), part)
    }

    pub(super) fn present_view(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        stack: &GlassStack,
        active: ActiveView,
        context: &FrameContext,
        target: &ImageView,
    ) -> Result<()> {
        let settings = params.settings;
        let layer = self.targets.view()?.clone();
        let picture = layer.picture.mip(0);
        let (technique, name) = (active.technique, active.view.name);
        let draw = |frame: &mut Frame| self.techniques.draw_view(frame, technique, name, settings, context, &picture);
        if !frame.for_view(true, draw)? {
            return self.present(frame, params, stack, target, None);
        }
        match active.place {
            ViewPlacement::Full => {
                frame.for_view(true, |frame| self.show(frame, "renderer/view", &picture, target, None))
            }
            ViewPlacement::Lens => {
                let mips = &self.techniques.mip_chain;
                frame.for_view(true, |frame| mips.record(frame, &settings.mip_chain, &picture, &layer.chain))?;
                let clear = GlassStack::clear(&settings.glass, params.lenses, params.scale, picture.size());
                self.present(frame, params, &clear, target, Some(&layer))
            }
            ViewPlacement::Split => {
                self.present(frame, params, stack, target, None)?;
                let [width, height] = target.size().map(|n| n as i32);
                let line = (params.split.clamp(0.0, 1.0) * width as f32) as i32;
                let part = Some([line, 0, width, height]);
                frame.for_view(true, |frame| self.show(frame, "renderer/view", &picture, target, part))
            }
        }
    }

    pub(super) fn show(
        &mut self,
        frame: &mut Frame,
        pass: &str,
        picture: &ImageView,
        target: &ImageView,
        only: Option<[i32; 4]>,
    ) -> Result<()> {
        let format = target.format();
        if only.is_none() && picture.format() == format && target.image().takes_copies() {
            return frame.copy(pass, picture, target);
        }
        let pipeline = self.show.get(format, |format| {
            let desc = RasterDesc {
                shaders: ["include/screen.vert", "renderer/show.frag"].map(String::from).to_vec(),
                color: vec![*format],
                constants: vec![("TARGET_IS_SRGB".into(), u32::from(format.is_srgb()))],
                ..Default::default()
            };
            RasterPipeline::new(&self.gpu, desc)
        })?;
        let source = picture.clone().through(Sampler::NearestClamp);
        let mut draw = pipeline.draw(3).bind("picture", source);
        if let Some(only) = only {
            draw = draw.scissor(only);
        }
        frame.raster(pass).color(target, None).draw(draw).finish()
    }
}
