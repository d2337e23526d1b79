//! What window and headless start from: settings, the picture under the glass, the view, the lens.

use super::cli::{Common, Look};
use super::failure::{Failure, OrFail as _};
use super::presets::{Presets, load_file};
use super::values::{self, Preset};
use crate::base::picture::Picture;
use crate::renderer::{Place, Shown};
use crate::scene::{Lens, Source, world::World};
use crate::techniques::Settings;
use glam::Vec2;
use std::sync::Arc;

/// The start.
#[derive(Clone)]
pub struct Session {
    /// Defaults, then the preset, then every `--set`.
    pub settings: Settings,
    /// The file that lies under the glass; `None`: the built-in picture.
    pub picture: Option<Arc<Picture>>,
    /// The world that a file gives; `None`: the built-in one.
    pub world: Option<Arc<World>>,
    /// The view that is shown.
    pub shown: Option<Shown>,
    /// Where the first lens is put; `None`: in the middle.
    pub lens_at: Option<Vec2>,
}

impl Session {
    /// From the checked arguments.
    ///
    /// # Errors
    /// Exit code 2 where a file cannot be used or a name is not known: names it, and what was expected.
    pub fn new(common: &Common, look: &Look) -> Result<Self, Failure> {
        let settings = settings(common)?;
        let world = match &common.scene {
            Some(file) => Some(Arc::new(read_world(file).or_bad("--scene")?)),
            None => None,
        };
        let picture = match &common.image {
            Some(file) => Some(Arc::new(Picture::load(file).or_bad("--image")?)),
            None => None,
        };
        let shown = look.view.as_ref().map(|view| {
            let place = match view.place {
                values::Place::Full => Place::Full,
                values::Place::Lens => Place::Lens,
                values::Place::Split => Place::Split,
            };
            Shown::find(&view.technique, &view.name, place).map_err(|why| Failure::bad(format!("--view: {why}")))
        });
        Ok(Self { settings, picture, world, shown: shown.transpose()?, lens_at: look.lens.map(|lens| lens.0) })
    }
}

/// The world that a file holds.
///
/// # Errors
/// Says what is wrong with it.
pub fn read_world(file: &std::path::Path) -> anyhow::Result<World> {
    anyhow::bail!("{}: this version reads no scenes yet; expected --image FILE", file.display())
}

/// Defaults, then what a given file asks for, then the preset, then every `--set`, in the order typed.
fn settings(common: &Common) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if common.image.is_some() {
        settings.scene.source = Source::Picture;
    } else if common.scene.is_some() {
        settings.scene.source = Source::World;
    }
    let preset = match &common.preset {
        None => None,
        Some(Preset::Named(name)) => Some((name.clone(), Presets::of_this_user().load(name))),
        Some(Preset::File(file)) => Some((file.display().to_string(), load_file(file))),
    };
    if let Some((name, table)) = preset {
        settings.lay(table.or_bad("--preset")?).map_err(|why| Failure::bad(format!("--preset {name}: {why}")))?;
    }
    for set in &common.set {
        settings.lay(set.0.clone()).map_err(|why| Failure::bad(format!("--set {why}")))?;
    }
    Ok(settings)
}

/// A lens of the shape that the settings say, `scale` pixels for each of their units.
pub fn lens(settings: &Settings, center: Vec2, scale: f32) -> Lens {
    let glass = &settings.glass;
    Lens {
        center,
        half: Vec2::new(glass.half_width, glass.half_height) * scale,
        exponent: glass.exponent,
        angle: glass.angle.to_radians(),
        strain: Vec2::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::cli::{Task, parse};

    fn arguments(line: &str) -> Common {
        let words = std::iter::once("meniscus").chain(line.split_whitespace()).map(Into::into);
        let Ok(Task::Window(common, _)) = parse(words) else { panic!("{line}") };
        common
    }

    #[test]
    fn later_settings_lie_over_earlier_ones() {
        let glass = |line| settings(&arguments(line)).unwrap().glass;
        assert_eq!(glass("--preset frosted").frost, 7.0);
        assert_eq!(glass("--preset frosted --set glass.frost=2 --set glass.frost=3").frost, 3.0);
        assert_eq!(glass("--set glass.preset=frosted").frost, 7.0);
    }

    #[test]
    fn bad_settings_name_the_field_and_what_was_expected() {
        for (line, said) in [
            ("--set glass.forst=1", "did you mean \"frost\""),
            ("--set glas.frost=1", "did you mean \"glass\""),
            ("--set glass.frost=-1", "expected a number from 0 to 64"),
            ("--set glass.frost=x", "glass.frost"),
            ("--set glass.mode=lenz", "lens"),
            ("--preset frostig", "there is no preset"),
        ] {
            let failure = settings(&arguments(line)).unwrap_err();
            assert!(failure.code == 2 && failure.to_string().contains(said), "{line}: {failure}");
        }
    }
}
