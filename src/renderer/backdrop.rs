//! Backdrop of the glass: world or flat picture.

use super::{Renderer, clip_upload::ClipUpload, frame::FrameParams, plan::FramePlan, targets::upload, world::Redraw};
use base::timing::PictureStep;
use glam::Vec3;
use glass::SceneLight;
use gpu::{Frame, ImageView, Result};
use particles::{Ground, Particles};
use scene::{Source, picture::Fresh, world::Camera};
use technique::{Daylight, Technique as _, WorldFrame};

impl Renderer {
    pub(super) fn draw_backdrop(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        target: &ImageView,
    ) -> Result<bool> {
        if self.targets.fit(target) {
            self.background.forget();
            self.below.is_world = false;
        }
        let knows_world = self.world.resident().is_some();
        if knows_world {
            self.move_particles(frame, params)?; // before all else, so that the compute queue has the whole frame for it
        }
        let is_incremental = params.plan.is_incremental && !self.below.has_particles;
        let of_world = FrameParams { plan: FramePlan { is_incremental, ..params.plan }, ..*params };
        let mut draw = || self.world.draw(&mut self.techniques, frame, &of_world, target.size());
        let redrawn = if params.draws_world() { draw()? } else { None };
        if !knows_world {
            self.move_particles(frame, params)?;
        }
        match redrawn.zip(self.world.drawn().cloned()) {
            Some((redrawn, drawn)) if params.settings.scene.source == Source::World => {
                self.show_world(frame, params, redrawn, &drawn)
            }
            _ => self.show_picture(frame, params),
        }
    }

    fn show_world(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        redrawn: Redraw,
        drawn: &WorldFrame,
    ) -> Result<bool> {
        let (settings, techniques) = (params.settings, &mut self.techniques);
        let camera = self.world.reprojected_to().unwrap_or(drawn.camera);
        let daylight = techniques.shade.daylight(&settings.shade, &drawn.camera, drawn.sun, &drawn.shadow);
        techniques.glass.light = Some(scene_light(&camera, drawn.sun, &daylight));
        techniques.shade.show_light(frame, None)?;
        let has_changed = techniques.particles.has_changed(&settings.particles, &daylight);
        if redrawn == Redraw::None && !has_changed && self.below.is_world {
            return Ok(false);
        }
        let is_same = !has_changed && self.below.is_world;
        let is_repeated = redrawn == Redraw::Repeat && is_same;
        let is_known = redrawn == Redraw::Viewpoint && is_same;
        let toned = self.toned.take().filter(|_| is_known);
        let shown = drawn.shown();
        let joined = match toned {
            Some(_) => None,
            None => techniques.particles.draw(frame, &settings.particles, &shown, &daylight)?,
        };
        let light = joined.as_ref().unwrap_or(&shown.light);
        let picture = match is_repeated {
            true => self.targets.repeated()?.mip(0),
            false => self.targets.background()?.picture.mip(0),
        };
        if let Some(now) = self.world.reprojected_to() {
            let toned = match toned {
                Some(toned) => toned,
                None => techniques.shade.tone_apart(frame, &settings.shade, light, picture.format())?,
            };
            let moved = techniques.antialias.reproject(frame, &settings.antialias, &toned, &now)?;
            techniques.shade.enlarge(frame, &settings.shade, moved.as_ref().unwrap_or(&toned), &picture)?;
            self.toned = Some(toned);
        } else {
            techniques.shade.tone(frame, &settings.shade, light, &picture)?;
        }
        if is_repeated {
            return Ok(false);
        }
        self.background.forget();
        self.below.is_clip = false;
        if !std::mem::replace(&mut self.below.is_world, true) {
            #[cfg(feature = "lab")]
            techniques.comparisons.glass.forget();
        }
        Ok(true)
    }

    fn show_picture(&mut self, frame: &mut Frame, params: &FrameParams<'_>) -> Result<bool> {
        let scene = &params.settings.scene;
        self.below.is_world = false;
        self.techniques.glass.light = None;
        let is_brief = scene.source == Source::World;
        let fresh = self.background.fresh(scene.motif, scene.fit, self.targets.size(), is_brief);
        let layer = self.targets.background()?;
        let picture_view = layer.picture.mip(0);
        self.strip.follow(fresh.as_ref());
        if fresh.is_some() {
            self.techniques.glass.inks.forget();
        }
        let shift_px = params.used.map_or(0, |used| used.shift_px);
        let mut has_changed = fresh.is_some() | self.strip.show(frame, shift_px, &picture_view)?;
        // The brightness below a lens follows a moving picture.
        let mut goes_on = false;
        if let Some(fresh) = &fresh {
            let is_clip = matches!(fresh, Fresh::Frame(_));
            goes_on = std::mem::replace(&mut self.below.is_clip, is_clip) && is_clip;
            let light = match fresh {
                Fresh::Light(light) => Some(light.as_ref()),
                Fresh::Display(_) | Fresh::Frame(_) | Fresh::Strip(_) => None,
            };
            match fresh {
                Fresh::Frame(shown) => self.clip.show(frame, shown, &picture_view)?,
                Fresh::Display(picture) => upload(frame, &picture_view, picture)?,
                Fresh::Light(_) | Fresh::Strip(_) => {}
            }
            if !is_clip {
                self.clip = ClipUpload::default();
            }
            self.techniques.shade.show_light(frame, light)?;
        }
        has_changed |= self.techniques.shade.tone_flat(frame, &params.settings.shade, &picture_view)?;
        if has_changed && !goes_on {
            #[cfg(feature = "lab")]
            self.techniques.comparisons.glass.forget();
        }
        if !is_brief && (has_changed || !self.below.is_clip) {
            frame.note_picture(PictureStep::Whole);
        }
        Ok(has_changed)
    }

    fn move_particles(&mut self, frame: &mut Frame, params: &FrameParams<'_>) -> Result<()> {
        let (settings, had_some) = (params.settings, self.below.has_particles);
        let world = self.world.resident().filter(|_| params.draws_world());
        let fountain = (!self.world.worlds.has_file()).then(|| settings.scene.place.fountain()).flatten();
        let ground = world.map(|resident| Ground { focus: resident.world.focus, fountain });
        let is_viewed = params.view.is_some_and(|view| view.technique == Particles::ID);
        let particles = &mut self.techniques.particles;
        self.below.has_particles = particles.step(frame, &settings.particles, ground, params.seconds, is_viewed)?;
        if had_some && !self.below.has_particles {
            self.below.is_world = false; // they are in the picture still
        }
        Ok(())
    }
}

/// After sunset the horizon still glows in the sky's colour.
fn scene_light(camera: &Camera, sun: Vec3, daylight: &Daylight) -> SceneLight {
    let [right, up] = camera.axes();
    let sun = Vec3::new(sun.x, sun.y.max(0.02), sun.z).normalize_or(Vec3::Y);
    let all = daylight.sun + daylight.sky;
    let color = if all.max_element() > 0.0 { all / all.max_element() } else { Vec3::ONE };
    SceneLight { toward: Vec3::new(sun.dot(right), sun.dot(up), sun.dot(right.cross(up))), color }
}
