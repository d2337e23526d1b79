//! What is looked at, from where, in which light.

use super::{picture, world::Viewpoint};
use glam::Vec3;

crate::choices! {
    /// What lies under the glass.
    pub enum Source {
        /// A world of meshlets, shaded pixel by pixel: the built-in one, or a glTF file of yours.
        World = "world",
        /// A flat picture: the built-in one, a file of yours, or one dropped on the window.
        Picture = "picture",
    }
}

crate::choices! {
    /// Which world is shown while no file is.
    pub enum Place {
        /// The built-in one, made to be looked at.
        Court = "court",
        /// Many instances of one mesh: for measuring.
        Many = "many",
    }
}

crate::choices! {
    /// Whether the camera goes slowly to and fro by itself.
    pub enum Drift {
        /// On a GPU; on a software driver the world rests, with all its pixels, so that the lens follows the hand.
        Auto = "auto",
        /// Always.
        On = "on",
        /// Never.
        Off = "off",
    }
}

crate::settings! {
    /// What lies under the glass.
    pub struct SceneSettings {
        /// What lies under the glass.
        source: Source = Source::World, choice;
        /// The built-in picture, shown while no file is.
        motif: picture::Motif = picture::Motif::Dusk, choice;
        /// The built-in world, shown while no file is.
        place: Place = Place::Court, choice;
        /// Instances in the world "many".
        instances: u32 = 1000, range(1, 20000), log;
        /// The camera goes slowly to and fro by itself.
        drift: Drift = Drift::Auto, choice, group "Camera";
        /// Degrees round what is looked at, from where the scene begins.
        orbit: f32 = 0.0, range(-180.0, 180.0), unit "°", group "Camera";
        /// Degrees up or down, from where the scene begins.
        height: f32 = 0.0, range(-90.0, 90.0), unit "°", group "Camera";
        /// Distance, as a part of the one at which the scene begins.
        zoom: f32 = 1.0, range(0.05, 20.0), log, group "Camera";
        /// How far what is looked at is moved along x, as a part of the distance at which the scene begins.
        pan_x: f32 = 0.0, range(-20.0, 20.0), group "Camera";
        /// The same along y, upwards.
        pan_y: f32 = 0.0, range(-20.0, 20.0), group "Camera";
        /// The same along z.
        pan_z: f32 = 0.0, range(-20.0, 20.0), group "Camera";
        /// Where the sun stands, degrees round the vertical.
        sun_direction: f32 = -64.0, range(-180.0, 180.0), unit "°", group "Light";
        /// Where the sun stands, degrees above the horizon.
        sun_height: f32 = 23.0, range(2.0, 90.0), unit "°", group "Light";
        /// Pixels of the world along each side, as a part of the window's.
        render_scale: f32 = 1.0, range(0.25, 1.0), group "Detail";
        /// Fewer pixels while the world moves and frames take too long (window only).
        adapt: bool = true, group "Detail";
        /// Draw the world in every frame, even where nothing in it changed: for steady timings.
        every_frame: bool = false, group "Detail";
    }
}

/// How far the camera drifts to either side, degrees.
const DRIFT_DEGREES: f32 = 14.0;
/// Seconds that it takes to come back to where it was.
const DRIFT_S: f32 = 60.0;

impl SceneSettings {
    /// Towards the sun, of length 1.
    #[must_use]
    pub fn sun(&self) -> Vec3 {
        let (direction, height) = (self.sun_direction.to_radians(), self.sun_height.to_radians());
        Vec3::new(height.cos() * direction.sin(), height.sin(), height.cos() * direction.cos())
    }

    /// Whether the camera goes by itself where `software` (or a GPU) draws.
    #[must_use]
    pub fn drifts(&self, software: bool) -> bool {
        match self.drift {
            Drift::Auto => !software,
            Drift::On => true,
            Drift::Off => false,
        }
    }

    /// From where a scene that begins at `home` is looked at, `drifted_s` seconds of drifting later.
    #[must_use]
    pub fn viewpoint(&self, home: Viewpoint, drifted_s: f32) -> Viewpoint {
        let drift = DRIFT_DEGREES * (drifted_s * std::f32::consts::TAU / DRIFT_S).sin();
        Viewpoint {
            target: home.target + Vec3::new(self.pan_x, self.pan_y, self.pan_z) * home.distance,
            orbit: home.orbit + self.orbit + drift,
            height: (home.height + self.height).clamp(-89.0, 89.0),
            distance: home.distance * self.zoom,
            angle: home.angle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_moves_the_camera() {
        let home = Viewpoint::default();
        let still = SceneSettings::default().viewpoint(home, 0.0);
        assert_eq!((still.orbit, still.height, still.distance, still.target), (0.0, 15.0, 8.0, Vec3::ZERO));
        let settings = SceneSettings { zoom: 0.5, pan_x: 1.0, height: 80.0, ..Default::default() };
        let moved = settings.viewpoint(home, DRIFT_S / 4.0);
        assert_eq!((moved.distance, moved.height), (4.0, 89.0));
        assert!((moved.orbit - DRIFT_DEGREES).abs() < 1e-3);
        assert_eq!(moved.target, Vec3::X * 8.0);
    }

    #[test]
    fn the_camera_rests_by_itself_on_software_drivers_only() {
        let drifts = |set: &str| {
            let table = toml::from_str(&format!("drift = {set}")).unwrap();
            let settings = crate::base::settings::overlay(&SceneSettings::default(), table)?;
            Ok::<_, String>([false, true].map(|software| settings.drifts(software)))
        };
        assert_eq!(SceneSettings::default().drift, Drift::Auto);
        assert_eq!(drifts("\"auto\""), Ok([true, false]));
        assert_eq!((drifts("\"on\""), drifts("\"off\"")), (Ok([true; 2]), Ok([false; 2])));
        assert_eq!((drifts("true"), drifts("false")), (Ok([true; 2]), Ok([false; 2])), "as older presets have it");
        assert_eq!(drifts("1").unwrap_err(), "drift = 1: expected one of \"auto\", \"on\", \"off\"");
    }

    #[test]
    fn the_sun_stands_where_it_is_set() {
        let sun = SceneSettings { sun_direction: 90.0, sun_height: 30.0, ..Default::default() }.sun();
        assert!((sun - Vec3::new(0.75_f32.sqrt(), 0.5, 0.0)).length() < 1e-5);
    }
}
