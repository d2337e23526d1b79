//! Settings of the scene: content, camera and light.

use super::{
    picture,
    world::{DRIFT_DEGREES, Viewpoint},
};
use glam::Vec3;

base::choices! {
    /// The content under the glass.
    pub enum Source {
        /// A 3D world of meshlets: the built-in one or a glTF file of yours.
        World = "world" as "3D",
        /// A flat picture: the built-in one, a file of yours, or one dropped on the window.
        Picture = "picture" as "Image",
    }
}

base::choices! {
    /// How a picture of another shape than the window is shown.
    pub enum Fit {
        /// It fills the window; what is longer is cut off on both sides.
        Cover = "cover",
        /// All of it is shown, between dark borders.
        Contain = "contain",
    }
}

base::choices! {
    /// Built-in world, shown when no scene file is loaded.
    pub enum Place {
        /// The built-in scene, made to be looked at.
        Court = "court",
        /// Many instances of one mesh, for measuring.
        Many = "many" as "Many copies",
        /// A long pool between wet stone and an arcade: water that mirrors.
        Pool = "pool",
        /// Two great mirrors that face each other: reflections of reflections.
        Corridor = "corridor",
        /// The built-in scene as a model of matt clay and plaster: nothing mirrors.
        Diffuse = "diffuse" as "Clay",
    }
}

base::choices! {
    /// Whether the camera moves slowly back and forth.
    pub enum Drift {
        /// On for GPUs; off for software drivers, so that the world stays at full resolution and the lens follows the pointer smoothly.
        Auto = "auto",
        /// Always.
        On = "on",
        /// Never.
        Off = "off",
    }
}

base::choices! {
    /// How edges of the 3D world are smoothed.
    pub enum AntialiasMode {
        /// By the frames before, always: smooth while the camera moves, and all pixels at a lower resolution.
        Temporal = "temporal",
        /// Only while nothing moves.
        Rest = "rest" as "At rest",
        /// Not at all: one sample per pixel.
        Off = "off",
    }
}

base::choices! {
    /// What is recorded in every frame, even if nothing changed or no view shows it: for steady timings and captures.
    pub enum Rerun {
        /// Only what changed.
        Off = "off",
        /// The 3D world.
        World = "world" as "3D scene",
        /// The mip chain.
        MipChain = "mip_chain" as "Mip chain",
        /// The sort; over a picture, of synthetic cells.
        PixelSort = "pixel_sort" as "Pixel sort",
        /// The downsampled picture.
        Downsample = "downsample" as "Downsampling",
        /// All of these.
        All = "all",
    }
}

impl Rerun {
    pub fn includes(self, part: Self) -> bool {
        self == part || self == Self::All
    }
}

base::settings! {
    /// The content under the glass.
    pub struct SceneSettings {
        /// What is shown under the glass: a 3D world or a flat picture.
        source: Source = Source::World, choice, label "Background";
        /// Built-in picture, shown when no image file is loaded.
        motif: picture::Motif = picture::Motif::Dusk, choice, label "Image", when "source=picture";
        /// Offset of the list, in points from its beginning.
        scroll: f32 = 0.0, range(-1000.0, 100000.0), state;
        /// A slider of the control centre.
        brightness: f32 = 0.65, range(0.0, 1.0), state;
        /// The other one.
        volume: f32 = 0.4, range(0.0, 1.0), state;
        /// Which switches of the control centre are on, a bit for each.
        switches: u32 = 0b10_0001_0010, range(0, 4095), state;
        /// How an image file of another shape than the window is shown: fill the window and cut off the rest, or show all of it.
        fit: Fit = Fit::Cover, choice, when "source=picture";
        /// Speed at which a moving picture file is played.
        speed: f32 = 1.0, range(0.1, 8.0), log, when "source=picture";
        /// Built-in world, shown when no scene file is loaded.
        place: Place = Place::Court, choice, label "3D scene", when "source=world";
        /// Number of mesh instances in the world "many".
        instances: u32 = 1000, range(1, 20000), log, label "Copies", when "source=world place=many";
        /// Move the camera slowly back and forth.
        drift: Drift = Drift::Auto, choice, group "Camera", label "Camera drift", when "source=world";
        /// Camera angle around the target, relative to the starting view.
        orbit: f32 = 0.0, range(-180.0, 180.0), unit "°", state;
        /// Camera elevation, relative to the starting view.
        height: f32 = 0.0, range(-90.0, 90.0), unit "°", state;
        /// Camera distance, as a multiple of the starting distance.
        zoom: f32 = 1.0, range(0.05, 20.0), state;
        /// Shift of the camera and its target along x, as a multiple of the starting distance.
        pan_x: f32 = 0.0, range(-20.0, 20.0), state;
        /// The same along y (up).
        pan_y: f32 = 0.0, range(-20.0, 20.0), state;
        /// The same along z.
        pan_z: f32 = 0.0, range(-20.0, 20.0), state;
        /// Azimuth of the sun.
        sun_direction: f32 = -64.0, range(-180.0, 180.0), unit "°", group "Light", when "source=world";
        /// Elevation of the sun above the horizon. Below 0 it is dusk and lamps are lit, below -12 night.
        sun_height: f32 = 23.0, range(-18.0, 90.0), unit "°", group "Light", when "source=world", label "Sun elevation";
        /// Resolution of the 3D world, as a fraction of the window's width and height.
        render_scale: f32 = 1.0, range(0.25, 1.0), group "Detail", when "source=world";
        /// Smooth the edges of the 3D world by samples of several frames.
        antialias: AntialiasMode = AntialiasMode::Temporal, choice, group "Detail", label "Antialiasing", when "source=world";
        /// Lower the resolution while the world moves and frames are slow (window only).
        adapt: bool = true, group "Detail", when "source=world", label "Dynamic resolution";
        /// Part of the frame that is recorded in every frame, even if nothing changed, for steady timings and captures.
        rerun: Rerun = Rerun::Off, choice, group "Detail", label "Rerun every frame";
    }
}

impl Place {
    /// Centre of the water and radius of the nozzles' ring, metres.
    pub fn fountain(self) -> Option<(Vec3, f32)> {
        match self {
            Self::Court | Self::Diffuse => Some((Vec3::new(-0.35, 0.31, -3.4), 1.12)),
            Self::Pool => Some((Vec3::new(-0.35, 0.10, -6.9), 1.2)),
            Self::Many | Self::Corridor => None,
        }
    }
}

/// Period of the drift, seconds.
const DRIFT_S: f32 = 60.0;

fn drift(drifted_s: f32) -> f32 {
    DRIFT_DEGREES * (drifted_s * std::f32::consts::TAU / DRIFT_S).sin()
}

impl SceneSettings {
    /// Direction to the sun.
    pub fn sun(&self) -> Vec3 {
        let (direction, height) = (self.sun_direction.to_radians(), self.sun_height.to_radians());
        Vec3::new(height.cos() * direction.sin(), height.sin(), height.cos() * direction.cos())
    }

    /// A motif of use is shown, unless a file is.
    pub fn uses_motif(&self) -> bool {
        self.source == Source::Picture && self.motif.is_used()
    }

    pub fn drifts(&self, by_default: bool) -> bool {
        match self.drift {
            Drift::Auto => by_default,
            Drift::On => true,
            Drift::Off => false,
        }
    }

    pub fn reset_camera(&mut self) {
        (self.orbit, self.height, self.zoom) = (0.0, 0.0, 1.0);
        (self.pan_x, self.pan_y, self.pan_z) = (0.0, 0.0, 0.0);
    }

    /// What both sides of a comparison have in common: camera, and state of the motif of use.
    pub fn take_camera(&mut self, other: &Self) {
        (self.scroll, self.brightness, self.volume) = (other.scroll, other.brightness, other.volume);
        self.switches = other.switches;
        (self.orbit, self.height, self.zoom) = (other.orbit, other.height, other.zoom);
        (self.pan_x, self.pan_y, self.pan_z) = (other.pan_x, other.pan_y, other.pan_z);
    }

    pub fn stop_after(&mut self, drifted_s: f32) {
        let orbit = self.orbit + drift(drifted_s);
        self.orbit = (orbit + 180.0).rem_euclid(360.0) - 180.0;
    }

    pub fn viewpoint(&self, home: Viewpoint, drifted_s: f32) -> Viewpoint {
        let drift = drift(drifted_s);
        let steepest = home.height.abs().max(89.0);
        Viewpoint {
            target: home.target + Vec3::new(self.pan_x, self.pan_y, self.pan_z) * home.distance,
            orbit: home.orbit + self.orbit + drift,
            height: (home.height + self.height).clamp(-steepest, steepest),
            distance: home.distance * self.zoom,
            ..home
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_move_the_camera() {
        let home = Viewpoint::default();
        let still = SceneSettings::default().viewpoint(home, 0.0);
        assert_eq!((still.orbit, still.height, still.distance, still.target), (0.0, 15.0, 8.0, Vec3::ZERO));
        let settings = SceneSettings { zoom: 0.5, pan_x: 1.0, height: 80.0, ..Default::default() };
        let moved = settings.viewpoint(home, DRIFT_S / 4.0);
        assert_eq!((moved.distance, moved.height), (4.0, 89.0));
        assert!((moved.orbit - DRIFT_DEGREES).abs() < 1e-3);
        assert_eq!(moved.target, Vec3::X * 8.0);
        let of = SceneSettings { orbit: 9.0, height: 8.0, zoom: 2.0, pan_x: 1.0, pan_y: 2.0, pan_z: 3.0, ..settings };
        let mut other = SceneSettings::default();
        other.take_camera(&of);
        assert_eq!(other.viewpoint(home, 0.0), of.viewpoint(home, 0.0));
        let mut stopped = SceneSettings { orbit: 175.0, ..Default::default() };
        let before = stopped.viewpoint(home, DRIFT_S / 4.0).orbit;
        stopped.stop_after(DRIFT_S / 4.0);
        assert!((stopped.viewpoint(home, 0.0).orbit + 360.0 - before).abs() < 1e-3 && stopped.orbit >= -180.0);
    }

    #[test]
    fn the_camera_drifts_by_default_as_the_device_allows() {
        let drifts = |set: &str| {
            let table = toml::from_str(&format!("drift = {set}")).unwrap();
            let mut settings = SceneSettings::default();
            base::settings::lay(&mut settings, &table)?;
            Ok::<_, String>([true, false].map(|by_default| settings.drifts(by_default)))
        };
        assert_eq!(SceneSettings::default().drift, Drift::Auto);
        assert_eq!(drifts("\"auto\""), Ok([true, false]));
        assert_eq!((drifts("\"on\""), drifts("\"off\"")), (Ok([true; 2]), Ok([false; 2])));
        assert_eq!((drifts("true"), drifts("false")), (Ok([true; 2]), Ok([false; 2])), "as older presets have it");
        assert_eq!(drifts("1").unwrap_err(), "drift = 1: expected one of \"auto\", \"on\", \"off\"");
    }

    #[test]
    fn the_sun_follows_its_settings() {
        let sun = SceneSettings { sun_direction: 90.0, sun_height: 30.0, ..Default::default() }.sun();
        assert!((sun - Vec3::new(0.75_f32.sqrt(), 0.5, 0.0)).length() < 1e-5);
    }
}
