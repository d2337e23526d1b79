//! The part of the score that draws a world: IDs, sorted list, shading, tone map. Only where something changed.

use super::{
    params::{FrameParams, MirrorPace},
    sort_payoff::{SortPayoff, Way},
    worlds::Worlds,
};
use crate::{
    base::{text, timing::FrameTiming},
    gpu::{Frame, ImageView, Result},
    scene::{
        AntialiasMode, SceneSettings,
        world::{Camera, Resident, Shadow, World},
    },
    techniques::{
        Answer, PixelList, Report, Settings, Stage, Technique, Techniques, WorldFrame,
        antialias::{AntialiasInput, Change},
        meshlets::MeshletsSettings,
        pixel_sort::{Figures, PixelSort},
        reflections::MirrorInput,
        shade::{By, LAYERS, ShadeInput, Work},
    },
};
use glam::{Vec2, Vec3};

/// What the world's picture depends on.
#[derive(Clone, PartialEq)]
struct WorldCacheKey {
    camera: Camera,
    size: [u32; 2],
    target: [u32; 2],
    /// Whether mirrors are traced, and with which part of the world's pixels along each side.
    mirrors: Option<f32>,
    /// The scene's settings and those of every technique that makes the world's picture; all others at their defaults.
    settings: Settings,
}

impl WorldCacheKey {
    /// What a frame of `now` has to do with this one.
    fn change(&self, now: &Self) -> Change {
        if self == now {
            return Change::None;
        }
        // Where the camera is, and with how many pixels it looks, changes nothing that it looks at.
        let looked_at = |key: &Self| {
            let fresh = SceneSettings::default();
            let SceneSettings {
                drift, orbit, height, zoom, pan_x, pan_y, pan_z, render_scale, adapt, every_frame, ..
            } = fresh;
            let scene = key.settings.scene.clone();
            let scene = SceneSettings {
                drift,
                orbit,
                height,
                zoom,
                pan_x,
                pan_y,
                pan_z,
                render_scale,
                adapt,
                every_frame,
                ..scene
            };
            Settings { scene, ..key.settings.clone() }
        };
        let is_same = self.target == now.target && looked_at(self) == looked_at(now);
        if is_same { Change::Moved } else { Change::Other }
    }
}

/// The world as it was drawn last; its images stay as they are until it is drawn again.
struct DrawnWorld {
    key: WorldCacheKey,
    frame: WorldFrame,
    /// More samples of the same would count.
    gathers: bool,
    /// What is seen through, and the light that it lies over.
    layers: Option<([ImageView; LAYERS], ImageView)>,
}

/// What the sun sees of the world, and what that depends on.
struct Sunlit {
    of: (Vec3, MeshletsSettings),
    shadow: Shadow,
}

/// The world that is shown, what was drawn of it, and whether sorting its pixels pays.
pub(super) struct WorldRenderer {
    /// Where it comes from.
    pub worlds: Worlds,
    resident: Option<Resident>,
    drawn: Option<DrawnWorld>,
    sunlit: Option<Sunlit>,
    /// The camera's shift when mirrors were traced last.
    traced_at: Vec2,
    /// While `pixel_sort.measure` is on.
    payoff: Option<SortPayoff>,
}

impl WorldRenderer {
    pub fn new(worlds: Worlds) -> Self {
        Self { worlds, resident: None, drawn: None, sunlit: None, traced_at: Vec2::ZERO, payoff: None }
    }

    /// The world on the GPU, once there is one.
    pub fn resident(&self) -> Option<&Resident> {
        self.resident.as_ref()
    }

    /// What was drawn last.
    pub fn drawn(&self) -> Option<&WorldFrame> {
        self.drawn.as_ref().map(|drawn| &drawn.frame)
    }

    /// Takes the times of a frame that has ended.
    pub fn on_timing(&mut self, timing: &FrameTiming) {
        if let Some(payoff) = &mut self.payoff {
            payoff.on_timing(timing);
        }
    }

    /// Whether the answer to "does sorting pay" waits for another frame.
    pub fn is_measuring(&self) -> bool {
        self.payoff.as_ref().is_some_and(SortPayoff::is_measuring)
    }

    /// Whether sorting pays, in a sentence.
    pub fn answer(&self) -> Option<(&'static str, Answer)> {
        Some((PixelSort::ID, self.payoff.as_ref()?.answer()?))
    }

    /// What is known of the world: whether sorting pays, by the `figures` of its list, and how large it is.
    pub fn tables(&self, figures: Option<&Figures>) -> Vec<(&'static str, Report)> {
        let payoff = self.payoff.as_ref().and_then(|payoff| payoff.report(figures));
        let size = self.resident().map(|resident| ("scene", report(&resident.world)));
        payoff.map(|report| (PixelSort::ID, report)).into_iter().chain(size).collect()
    }

    /// Draws the world for a target of `size` if it is another than the last time; whether it did. Nothing while no world is there.
    pub fn draw(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        size: [u32; 2],
    ) -> Result<Option<bool>> {
        let settings = params.settings;
        let Some(world) = self.worlds.now(&settings.scene) else { return Ok(None) };
        let world = match self.resident.take() {
            Some(resident) if std::sync::Arc::ptr_eq(&resident.world, &world) => resident,
            _ => {
                (self.drawn, self.sunlit) = (None, None);
                Resident::new(frame, world)?
            }
        };
        self.resident = Some(world.clone());
        let steady = settings.scene.viewpoint(world.world.viewpoint, params.drifted_s).camera();
        if params.mirror_scale == 0.0 {
            techniques.reflections.pause();
        }
        let traces = params.mirror_scale > 0.0
            && techniques.reflections.is_ready(frame, &settings.reflections, &world.world, self.worlds.wake())?;
        let mirrors = traces.then_some(params.mirror_scale);
        let key = WorldCacheKey::new(params, steady, size, mirrors);
        let is_same_size = self.drawn.as_ref().is_none_or(|drawn| drawn.key.size == key.size);
        self.payoff =
            settings.pixel_sort.measure.then(|| self.payoff.take().filter(|_| is_same_size).unwrap_or_default());
        let lasts = !settings.scene.every_frame && !self.is_measuring();
        let change = self.drawn.as_ref().map_or(Change::Other, |drawn| drawn.key.change(&key));
        let gathers = params.gathers && self.is_gathering(techniques, settings);
        if change == Change::None && lasts && !gathers {
            return self.go_on(techniques, frame, params).map(Some);
        }
        // While nothing moves each frame adds samples; otherwise only where frames before count.
        let (samples, gathers) = match settings.scene.antialias {
            AntialiasMode::Temporal => (true, true),
            AntialiasMode::Rest => (change != Change::Moved && key.size == size, key.size == size),
            AntialiasMode::Off => (false, false),
        };
        let shift = if samples { techniques.antialias.shift(&settings.antialias, change, &steady) } else { Vec2::ZERO };
        let camera = Camera { shift, ..steady };
        let (sun, small) = (settings.scene.sun(), key.size);
        let shadow = self.shadow(techniques, frame, settings, &world, sun)?;
        let visibility = techniques.meshlets.record(frame, &settings.meshlets, &world, &camera, small)?;
        let ids = visibility.ids.clone();
        let moves = change == Change::Moved && techniques.antialias.goes_on(&steady);
        let whole = settings.antialias.joined.size(frame.gpu(), moves, small, size);
        let part = small[1] as f32 / if samples { whole[1] } else { size[1] } as f32;
        let detail = if samples { techniques.antialias.detail(&settings.antialias, change, part) } else { 1.0 };
        let scene = ShadeInput { world: &world, camera: &camera, sun, shadow: Some(&shadow), detail };
        let way = match settings.shade.by {
            By::Raster => Way::Raster,
            By::List => Way::List,
        };
        let way = self.payoff.as_mut().map_or(way, |payoff| payoff.way(way));
        let list = match way {
            Way::Raster => None,
            Way::List => {
                let keys = settings.pixel_sort.keys(&world.material_of);
                let sorted = techniques.pixel_sort.record(frame, &settings.pixel_sort, &ids, keys)?;
                Some(PixelList::from(&sorted))
            }
        };
        let work = list.clone().map_or(Work::Raster, Work::List);
        let light = match mirrors {
            None => {
                let light = techniques.shade.record(frame, &settings.shade, &scene, &ids, &work)?;
                if let Some(shaded) = techniques.shade.last().filter(|_| params.mirror_scale > 0.0) {
                    let input = MirrorInput { world: &world, ids: &ids, shaded: &shaded };
                    techniques.reflections.warm_up(frame, &settings.reflections, &input)?;
                }
                light
            }
            Some(scale) => {
                let shaded = techniques.shade.record_apart(frame, &settings.shade, &scene, &ids, &work)?;
                let input = MirrorInput { world: &world, ids: &ids, shaded: &shaded };
                let at_once = params.mirror_pace == MirrorPace::AtOnce;
                let (reflections, of) = (&mut techniques.reflections, &settings.reflections);
                // What took many frames to trace is not traced again for a sample elsewhere in the same pixels.
                let again = change == Change::None && !at_once;
                let known = if again { reflections.reuse(frame, of, &input, shift - self.traced_at)? } else { None };
                match known {
                    Some(light) => light,
                    None => {
                        self.traced_at = shift;
                        reflections.record(frame, of, &input, scale, at_once)?
                    }
                }
            }
        };
        // What is seen through lies over what is finished: mirrors in it come first, samples are joined after.
        let layers = visibility.layers.map(|layers| (layers, light.clone()));
        let light = match &layers {
            Some((layers, solid)) => techniques.shade.lay_over(frame, &scene, layers, solid)?,
            None => light,
        };
        let (ids, depth) = (visibility.ids, visibility.depth);
        let resolved = if samples {
            let exposure = techniques.shade.exposure(&settings.shade);
            let input = AntialiasInput { light: &light, ids: &ids, depth: &depth, camera: &camera, exposure, whole };
            techniques.antialias.record(frame, &settings.antialias, &input, change)?
        } else {
            techniques.antialias.forget();
            light.clone()
        };
        let frame = WorldFrame { resident: world, camera, sun, shadow, ids, depth, list, light, resolved };
        self.drawn = Some(DrawnWorld { key, frame, gathers, layers });
        Ok(Some(true))
    }

    /// Whether another frame would make the picture of a world at rest smoother.
    pub fn is_gathering(&self, techniques: &Techniques, settings: &Settings) -> bool {
        self.drawn.as_ref().is_some_and(|drawn| drawn.gathers)
            && techniques.antialias.is_unfinished(&settings.antialias)
            && !techniques.reflections.is_unfinished()
    }

    /// Nothing changed, but mirrors may not be finished. Whether the light is another now.
    fn go_on(&mut self, techniques: &mut Techniques, frame: &mut Frame, params: &FrameParams<'_>) -> Result<bool> {
        let (Some(drawn), Some(shaded)) = (&mut self.drawn, techniques.shade.last()) else { return Ok(false) };
        if params.mirror_scale == 0.0 || params.mirror_pace == MirrorPace::Paused {
            return Ok(false);
        }
        let input = MirrorInput { world: &drawn.frame.resident, ids: &drawn.frame.ids, shaded: &shaded };
        let settings = &params.settings.reflections;
        let is_other = match drawn.key.mirrors {
            Some(_) if params.mirror_pace == MirrorPace::AtOnce => false,
            Some(scale) => techniques.reflections.go_on(frame, settings, &input, scale)?,
            // What is traced at once waits for its kernels, too.
            None => techniques.reflections.warm_up(frame, settings, &input).map(|()| false)?,
        };
        if let Some((layers, solid)) = drawn.layers.as_ref().filter(|_| is_other) {
            let scene = ShadeInput::of(&drawn.frame);
            drawn.frame.light = techniques.shade.lay_over(frame, &scene, layers, solid)?;
        }
        if is_other && params.settings.scene.antialias != AntialiasMode::Off {
            let resolved = techniques.antialias.again(frame, &drawn.frame.light)?;
            drawn.frame.resolved = resolved.unwrap_or_else(|| drawn.frame.light.clone());
        }
        Ok(is_other)
    }

    fn shadow(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        settings: &Settings,
        world: &Resident,
        sun: Vec3,
    ) -> Result<Shadow> {
        let of = (sun, settings.meshlets.clone());
        if let Some(sunlit) = self.sunlit.as_ref().filter(|sunlit| sunlit.of == of) {
            return Ok(sunlit.shadow.clone());
        }
        let shadow = techniques.meshlets.shadow(frame, &settings.meshlets, world, sun)?;
        self.sunlit = Some(Sunlit { of, shadow: shadow.clone() });
        Ok(shadow)
    }
}

impl WorldCacheKey {
    fn new(params: &FrameParams<'_>, camera: Camera, target: [u32; 2], mirrors: Option<f32>) -> Self {
        let settings = params.settings;
        // A view shows the world's own pixels.
        let scale = if params.views_world() { 1.0 } else { settings.scene.render_scale * params.world_scale };
        let scaled = |side: u32| ((side as f32 * scale).round() as u32).clamp(1, side.max(1));
        Self { camera, size: target.map(scaled), target, mirrors, settings: settings.of_stage(Stage::World) }
    }
}

/// How large a world is.
fn report(world: &World) -> Report {
    let rows = [
        ("meshes", world.meshes.len() as u64),
        ("instances", world.instances.len() as u64),
        ("meshlets in all", world.placed.len() as u64),
        ("triangles in all", world.triangle_count()),
        ("materials", world.materials.len() as u64),
        ("textures", world.textures.len() as u64),
    ];
    let mut rows: Vec<_> = rows.map(|(what, number)| vec![what.into(), number.to_string()]).into();
    rows.push(vec!["texels".into(), text::bytes(4 * world.texels.len() as u64)]);
    Report { title: "World".into(), head: vec!["what", "number"], rows }
}
