//! Initial state of window and headless: settings, files, view, lenses.

use super::arguments::Preset;
use super::cli::{Common, ViewOptions};
use super::failure::{Failure, OrFail as _};
use super::file_loader::{Content, FileRead, Kind, Reading};
use super::last_session::{LastSession, WindowState};
use super::lens_layout::Layout;
use super::presets::{LoadedPreset, Presets, load_file, table_of};
use glam::Vec2;
use glass::GlassSettings;
use media::light_picture::{FlatPicture, LightPicture};
use renderer::ActiveView;
use scene::world::World;
use scene::{Lens, Source};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use techniques::Settings;
use ui::{OpenFiles, SavedPanels};

/// A file loaded within this time does not flash another scene.
const BRIEFLY: Duration = Duration::from_millis(400);

pub struct Session {
    pub settings: Settings,
    pub pictures: Pictures,
    pub world: Option<Arc<World>>,
    pub names: OpenFiles,
    pub reading: Option<Reading>,
    pub message: Option<String>,
    /// What is wrong with the file of `--lenses`: the window says it and keeps the lenses it has.
    pub bad_lenses: Option<String>,
    pub shown: Option<ActiveView>,
    pub layout: Option<Layout>,
    pub preset: Option<LoadedPreset>,
    pub lens_at: Option<Vec2>,
    pub window: Option<WindowState>,
    pub panels: Option<SavedPanels>,
}

#[derive(Clone, Default)]
pub struct Pictures {
    pub below: Option<FlatPicture>,
    pub sky: Option<Arc<LightPicture>>,
}

impl Pictures {
    fn of_sky(file: Option<&PathBuf>) -> Result<Self, Failure> {
        let Some(file) = file else { return Ok(Self::default()) };
        let (light, notes) = LightPicture::load_sky(file).map_err(|why| Failure::bad(format!("--sky: {why:#}")))?;
        if !notes.is_empty() {
            log::warn!("{}: {}", file.display(), notes.line());
        }
        Ok(Self { below: None, sky: Some(Arc::new(light)) })
    }
}

impl Session {
    pub fn new(common: &Common, look: &ViewOptions) -> Result<Self, Failure> {
        let session = Self::begin(common, look, LastSession::default())?;
        session.bad_lenses.clone().map_or(Ok(()), |why| Err(Failure::bad(why)))?;
        session.whole()
    }

    pub fn begin(common: &Common, look: &ViewOptions, last: LastSession) -> Result<Self, Failure> {
        let (window, panels, last_view) = (last.window, last.panels.clone(), last.view);
        let placed = look.lenses.as_ref().map(|file| layout_in(file));
        let (placed, bad_lenses) = match placed.transpose() {
            Ok(placed) => (placed, None),
            Err(why) => (None, Some(why)),
        };
        let (settings, layout, preset) = settings(common, last, placed)?;
        let reading = common.scene.clone().map(|file| Reading::of_option(file, Kind::World, "--scene"));
        let picture = || common.image.clone().map(|file| Reading::of_option(file, Kind::Picture, "--image"));
        let reading = reading.or_else(picture);
        let shown = look.view.as_ref().map(|view| {
            ActiveView::find(&view.technique, &view.name, view.place)
                .map_err(|why| Failure::bad(format!("--view: {why}")))
        });
        let lens_at = look.lens.map(|lens| lens.0);
        let name = |file: &Option<PathBuf>| file.as_ref().map(|file| file.display().to_string());
        let names = OpenFiles { picture: name(&common.image), world: name(&common.scene), clip: None };
        let mut session = Self {
            settings,
            pictures: Pictures::of_sky(common.sky.as_ref())?,
            world: None,
            names,
            reading,
            message: bad_lenses.clone(),
            bad_lenses,
            shown: shown.transpose()?.or(last_view),
            layout,
            preset,
            lens_at,
            window,
            panels,
        };
        session.read(BRIEFLY)?;
        Ok(session)
    }

    pub fn whole(mut self) -> Result<Self, Failure> {
        self.read(Duration::MAX)?;
        Ok(self)
    }

    fn read(&mut self, most: Duration) -> Result<(), Failure> {
        let Some(reading) = &mut self.reading else { return Ok(()) };
        let Some(read) = reading.wait(most) else { return Ok(()) };
        let FileRead { content, notes } = read.map_err(|why| reading.failure(&why))?;
        self.message = self.message.take().or(reading.message(&notes));
        match content {
            Content::Picture(picture) => self.pictures.below = Some(picture),
            Content::World(world) => self.world = Some(world),
        }
        self.reading = None;
        Ok(())
    }

    pub fn lenses(&self, area_px: Vec2) -> Vec<Lens> {
        lenses(&self.settings.glass, self.layout.as_ref(), self.lens_at, [area_px / 2.0, area_px])
    }
}

/// In this order: last session, file, preset, lenses, every `--set`.
fn settings(
    common: &Common,
    last: LastSession,
    placed: Option<Layout>,
) -> Result<(Settings, Option<Layout>, Option<LoadedPreset>), Failure> {
    let LastSession { mut settings, mut layout, preset: mut loaded, .. } = last;
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
        let said = |why: String| Failure::bad(format!("--preset {name}: {why}"));
        let mut table = table.or_bad("--preset")?;
        match Layout::take(&mut table).map_err(said)? {
            Some(placed) => layout = Some(placed),
            None => layout.iter_mut().for_each(|layout| layout.set(&table)),
        }
        settings.lay(table).map_err(said)?;
        layout.iter().for_each(|layout| layout.shape(&mut settings.glass));
        let is_listed = matches!(common.preset, Some(Preset::Named(_)));
        let mut glass = settings.glass.clone();
        if let Some(first) = layout.as_ref().and_then(|layout| layout.lenses(&glass, Vec2::ONE).first().copied()) {
            glass = glass.with_glass(&first.glass);
        }
        loaded = is_listed.then_some(LoadedPreset { name, glass });
    }
    if let Some(placed) = placed {
        placed.shape(&mut settings.glass);
        layout = Some(placed);
    }
    for set in &common.set {
        settings.lay(set.0.clone()).map_err(|why| Failure::bad(format!("--set {why}")))?;
        layout.iter_mut().for_each(|layout| layout.set(&set.0));
    }
    Ok((settings, layout, loaded))
}

fn layout_in(file: &Path) -> Result<Layout, String> {
    let read = || {
        let mut table = table_of(file).map_err(|why| format!("{why:#}; expected a TOML file to read"))?;
        let layout = Layout::take(&mut table)?.ok_or("no lens; expected [[lens]] tables")?;
        match table.keys().next() {
            Some(other) => Err(format!("{other}: not a part of a layout; expected [[lens]] tables alone")),
            None => Ok(layout),
        }
    };
    read().map_err(|why| format!("--lenses {}: {why}", file.display()))
}

pub fn lenses(
    glass: &GlassSettings,
    layout: Option<&Layout>,
    at: Option<Vec2>,
    [middle, area_px]: [Vec2; 2],
) -> Vec<Lens> {
    let mut lenses = match layout {
        Some(layout) => layout.lenses(glass, area_px),
        None => vec![glass.placed(middle)],
    };
    for (first, at) in lenses.iter_mut().zip(at) {
        first.center = at;
    }
    lenses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Task, tests::task};

    fn arguments(line: &str) -> Common {
        let Task::Launch(common, _) = task(line) else { panic!("{line}") };
        common
    }

    #[test]
    fn later_settings_override_earlier_ones() {
        let glass = |line| settings(&arguments(line), LastSession::default(), None).unwrap().0.glass;
        assert_eq!(glass("--preset frosted").frost, 7.0);
        assert_eq!(glass("--preset frosted --set glass.frost=2 --set glass.frost=3").frost, 3.0);
        assert_eq!(glass("--set glass.preset=frosted").frost, 7.0);
    }

    #[test]
    fn the_preset_that_settings_are_from_is_known() {
        let last = || {
            let mut last = LastSession::default();
            last.settings.glass.frost = 5.0;
            last.preset = Some(LoadedPreset { name: "mine".into(), glass: last.settings.glass.clone() });
            last
        };
        let start = |line: &str| {
            let (settings, _, preset) = settings(&arguments(line), last(), None).unwrap();
            preset.map(|preset| (preset.name, preset.glass == settings.glass))
        };
        assert_eq!(start(""), Some(("mine".into(), true)), "as the last window had it");
        assert_eq!(start("--set glass.frost=2"), Some(("mine".into(), false)));
        assert_eq!(start("--preset frosted"), Some(("frosted".into(), true)));
        assert_eq!(start("--preset frosted --set glass.frost=2"), Some(("frosted".into(), false)));
    }
}
