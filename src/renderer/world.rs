//! The part of the score that draws a world: IDs, sorted list, shading, tone map. Only where something changed.

use super::{
    pays::{Pays, Way},
    score::{Look, Renderer},
};
use crate::{
    base::text,
    gpu::{Frame, Result, View},
    scene::{
        SceneSettings,
        world::{Camera, Resident, Shadow, World},
    },
    techniques::{
        Report, Settings,
        meshlets::{MeshletsSettings, Visibility},
        pixel_sort::{ARGUMENTS_AT, PixelSortSettings, SortedList},
        shade::{self, By, List, ShadeSettings, Work},
    },
};
use glam::Vec3;

/// What the world's picture depends on.
#[derive(Clone, PartialEq)]
struct Cause {
    camera: Camera,
    size: [u32; 2],
    target: [u32; 2],
    scene: SceneSettings,
    meshlets: MeshletsSettings,
    pixel_sort: PixelSortSettings,
    shade: ShadeSettings,
}

/// The world as it was drawn last; its images stay as they are until it is drawn again.
#[derive(Clone)]
pub(super) struct Drawn {
    cause: Cause,
    pub world: Resident,
    pub camera: Camera,
    pub sun: Vec3,
    pub shadow: Shadow,
    pub visibility: Visibility,
    pub light: View,
}

/// What the sun sees of the world, and what that depends on.
pub(super) struct Sunlit {
    of: (Vec3, MeshletsSettings),
    shadow: Shadow,
}

impl Drawn {
    /// For the shading technique.
    pub fn scene(&self) -> shade::Scene<'_> {
        shade::Scene { world: &self.world, camera: &self.camera, sun: self.sun, shadow: Some(&self.shadow) }
    }
}

impl Renderer {
    /// Draws the world for a target of `size` if it is another than the last time; whether it did. Nothing while no world is there.
    pub(super) fn draw_world(&mut self, frame: &mut Frame, look: &Look<'_>, size: [u32; 2]) -> Result<Option<bool>> {
        let settings = look.settings;
        let Some(world) = self.worlds.now(&settings.scene) else { return Ok(None) };
        let world = match self.resident.take() {
            Some(resident) if std::sync::Arc::ptr_eq(&resident.world, &world) => resident,
            _ => {
                (self.drawn, self.sunlit) = (None, None);
                Resident::new(frame, world)?
            }
        };
        self.resident = Some(world.clone());
        let camera = settings.scene.viewpoint(world.world.viewpoint, look.drifted_s).camera();
        let cause = Cause::new(look, camera, size);
        let is_same_size = self.drawn.as_ref().is_none_or(|drawn| drawn.cause.size == cause.size);
        self.pays = settings.pixel_sort.measure.then(|| self.pays.take().filter(|_| is_same_size).unwrap_or_default());
        let lasts = !settings.scene.every_frame && !self.pays.as_ref().is_some_and(Pays::is_measuring);
        if self.drawn.as_ref().is_some_and(|drawn| drawn.cause == cause) && lasts {
            return Ok(Some(false));
        }
        let (sun, small) = (settings.scene.sun(), cause.size);
        let shadow = self.shadow(frame, settings, &world, sun)?;
        let visibility = self.techniques.meshlets.record(frame, &settings.meshlets, &world, &camera, small)?;
        let ids = visibility.ids.clone();
        let scene = shade::Scene { world: &world, camera: &camera, sun, shadow: Some(&shadow) };
        let way = match settings.shade.by {
            By::Raster => Way::Raster,
            By::List => Way::List,
        };
        let way = self.pays.as_mut().map_or(way, |pays| pays.way(way));
        let work = match way {
            Way::Raster => Work::Raster,
            Way::List => {
                let keys = settings.pixel_sort.keys(&world.material_of);
                Work::List(list(&self.techniques.pixel_sort.record(frame, &settings.pixel_sort, &ids, keys)?))
            }
        };
        let light = self.techniques.shade.record(frame, &settings.shade, &scene, &ids, &work)?;
        self.drawn = Some(Drawn { cause, world, camera, sun, shadow, visibility, light });
        Ok(Some(true))
    }

    fn shadow(&mut self, frame: &mut Frame, settings: &Settings, world: &Resident, sun: Vec3) -> Result<Shadow> {
        let of = (sun, settings.meshlets.clone());
        if let Some(sunlit) = self.sunlit.as_ref().filter(|sunlit| sunlit.of == of) {
            return Ok(sunlit.shadow.clone());
        }
        let shadow = self.techniques.meshlets.shadow(frame, &settings.meshlets, world, sun)?;
        self.sunlit = Some(Sunlit { of, shadow: shadow.clone() });
        Ok(shadow)
    }
}

impl Cause {
    fn new(look: &Look<'_>, camera: Camera, target: [u32; 2]) -> Self {
        let settings = look.settings;
        // A view shows the world's own pixels.
        let scale = if look.shows_world_inside() { 1.0 } else { settings.scene.render_scale * look.detail };
        let scaled = |side: u32| ((side as f32 * scale).round() as u32).clamp(1, side.max(1));
        Self {
            camera,
            size: target.map(scaled),
            target,
            scene: settings.scene.clone(),
            meshlets: settings.meshlets.clone(),
            pixel_sort: settings.pixel_sort.clone(),
            shade: settings.shade.clone(),
        }
    }
}

/// The sorted list in the words of its reader.
pub(super) fn list(sorted: &SortedList) -> List {
    List {
        entries: sorted.entries.clone(),
        tiles: sorted.tiles.clone(),
        regions: sorted.regions.clone(),
        arguments: sorted.counts.clone(),
        arguments_at: ARGUMENTS_AT,
        count_at: 0,
        short: sorted.short,
    }
}

/// How large a world is.
pub(super) fn report(world: &World) -> Report {
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
