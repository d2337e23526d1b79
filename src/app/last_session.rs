//! Window state kept between launches: its size, open panels, settings, lenses and the view.

use super::lens_layout::Layout;
use super::{
    folders,
    presets::{self, LoadedPreset},
};
use anyhow::{Context as _, Result, anyhow};
use base::file::{read_bounded, write_atomically};
use base::settings::{Role, lay_sections, parse_table};
use glass::GlassSettings;
use renderer::{ActiveView, ViewPlacement};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use technique::Section;
use techniques::{Settings, retired};
use ui::SavedPanels;

const FILE: &str = "last.toml";
const MOST_BYTES: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WindowState {
    /// Logical pixels.
    pub size: [u32; 2],
    pub is_maximized: bool,
    #[serde(default)]
    pub is_fullscreen: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct LastSession {
    pub window: Option<WindowState>,
    pub panels: Option<SavedPanels>,
    pub settings: Settings,
    pub view: Option<ActiveView>,
    pub layout: Option<Layout>,
    pub preset: Option<LoadedPreset>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct PresetState {
    name: String,
    glass: toml::Table,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ViewState {
    technique: String,
    name: String,
    place: ViewPlacement,
}

fn view_parameters(settings: &Settings) -> toml::Table {
    let mut settings = settings.clone();
    let parameters = |section: Section<'_>| {
        let fields = section.settings.fields().iter().enumerate();
        let changed = fields.filter(|(_, field)| matches!(field.role, Role::View(_))).filter_map(|(index, field)| {
            let value = section.settings.value(index);
            (value != field.default_value()).then(|| (field.name.to_owned(), value))
        });
        let table: toml::Table = changed.collect();
        (!table.is_empty()).then(|| (section.id.to_owned(), toml::Value::Table(table)))
    };
    settings.sections().into_iter().filter_map(parameters).collect()
}

pub fn place() -> Option<PathBuf> {
    Some(folders::state()?.join(FILE))
}

impl LastSession {
    /// `None` if there is no file. An unusable file is renamed; the error names the new path.
    pub fn load(file: &Path) -> Result<Option<Self>, String> {
        if !file.exists() {
            return Ok(None);
        }
        Self::read(file).map(Some).map_err(|why| {
            let aside = file.with_extension("toml.broken");
            let moved = std::fs::rename(file, &aside);
            let place = if moved.is_ok() { format!("; it is kept as {}", aside.display()) } else { String::new() };
            format!("{}: {why:#}; starting with the defaults{place}", file.display())
        })
    }

    fn read(file: &Path) -> Result<Self> {
        let bytes = read_bounded(file, MOST_BYTES, "expected a TOML file")?;
        let mut table = parse_table(&String::from_utf8(bytes)?).map_err(anyhow::Error::msg)?;
        let window = table.remove("window").map(toml::Value::try_into).transpose().context("window")?;
        let panels = table.remove("panels").map(toml::Value::try_into).transpose().context("panels")?;
        let preset = table.remove("preset").map(toml::Value::try_into).transpose().context("preset")?;
        let preset = preset.map(|PresetState { name, glass }| {
            let (mut known, mut styled) =
                (GlassSettings::default(), toml::Table::from_iter([("glass".into(), glass.into())]));
            retired::remove(&mut styled);
            lay_sections(&mut [("glass", &mut known)], &styled).map_err(|why| anyhow!("preset.{why}"))?;
            anyhow::Ok(LoadedPreset { name, glass: known })
        });
        let preset = preset.transpose()?;
        let view: Option<ViewState> = table.remove("view").map(toml::Value::try_into).transpose().context("view")?;
        let view = view.and_then(|view| ActiveView::find(&view.technique, &view.name, view.place).ok());
        let parameters = table.remove("parameters").map(toml::Value::try_into).transpose().context("parameters")?;
        let layout = Layout::take(&mut table).map_err(anyhow::Error::msg)?;
        let mut settings = Settings::default();
        settings.lay(table).map_err(|why| anyhow!(why))?;
        settings.lay(parameters.unwrap_or_default()).map_err(|why| anyhow!("parameters.{why}"))?;
        Ok(Self { window, panels, settings, view, layout, preset })
    }

    pub fn save(&self, file: &Path) -> Result<()> {
        let mut table = toml::Table::new();
        if let Some(window) = self.window {
            table.insert("window".into(), toml::Value::try_from(window)?);
        }
        if let Some(panels) = &self.panels {
            table.insert("panels".into(), toml::Value::try_from(panels)?);
        }
        if let Some(LoadedPreset { name, glass }) = &self.preset {
            let state = PresetState { name: name.clone(), glass: toml::Table::try_from(glass)? };
            table.insert("preset".into(), toml::Value::try_from(state)?);
        }
        if let Some(ActiveView { technique, view, place }) = self.view {
            let state = ViewState { technique: technique.into(), name: view.name.into(), place };
            table.insert("view".into(), toml::Value::try_from(state)?);
        }
        let parameters = view_parameters(&self.settings);
        if !parameters.is_empty() {
            table.insert("parameters".into(), parameters.into());
        }
        let text = format!("{}\n{}", toml::to_string(&table)?, presets::text(&self.settings, self.layout.as_ref())?);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        write_atomically(file, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;

    fn some() -> LastSession {
        let mut table = parse_table("[[lens]]\ncenter = [0.25, 0.75]\nangle = 12.5\n").unwrap();
        let mut settings = Settings::default();
        settings.glass.frost = 3.0;
        settings.mip_chain.view_level = 4;
        LastSession {
            window: Some(WindowState { size: [900, 600], is_maximized: true, is_fullscreen: true }),
            panels: Some(
                toml::from_str("visible = false\ntab = \"timings\"\n[folds]\n\"glass/Optics\" = true\nglass = false\n")
                    .unwrap(),
            ),
            preset: Some(LoadedPreset { name: "frosted".into(), glass: settings.glass.clone() }),
            settings,
            view: ActiveView::find("mip_chain", "level", ViewPlacement::Split).ok(),
            layout: Layout::take(&mut table).unwrap(),
        }
    }

    #[test]
    fn saved_sessions_are_restored() {
        let folder = Folder::new("remembered");
        let file = folder.0.join("made/when/needed/last.toml");
        assert_eq!(LastSession::load(&file), Ok(None));
        for remembered in [some(), LastSession::default()] {
            remembered.save(&file).unwrap();
            assert_eq!(LastSession::load(&file), Ok(Some(remembered)));
        }
    }

    #[test]
    fn a_view_of_another_version_is_not_shown() {
        let folder = Folder::new("remembered-view");
        let file = folder.0.join("last.toml");
        std::fs::write(&file, "[view]\ntechnique = \"mip_chain\"\nname = \"none\"\nplace = \"lens\"\n").unwrap();
        assert_eq!(LastSession::load(&file), Ok(Some(LastSession::default())));
    }

    #[test]
    fn a_session_of_the_version_with_more_settings_is_restored() {
        let folder = Folder::new("remembered-before");
        let file = folder.0.join("last.toml");
        let text = include_str!("../../tests/retired/settings.toml");
        std::fs::write(
            &file,
            format!("{text}[preset]\nname = \"clear\"\n[preset.glass]\nbounds = true\nfrost = 3.0\n"),
        )
        .unwrap();
        let read = LastSession::load(&file).unwrap().unwrap();
        let mut kept = Settings::default();
        kept.particles.draw = particles::Draw::Quads;
        kept.glass.bevel_width = 56.0;
        assert_eq!((read.settings, read.preset.unwrap().glass.frost), (kept, 3.0));
    }

    #[test]
    fn broken_files_are_set_aside_once() {
        let folder = Folder::new("remembered-broken");
        let file = folder.0.join("last.toml");
        for text in [
            "[glass]\nfrost = = 3",
            "[glass]\nforst = 3",
            "[window]\nsize = 3",
            "[[lens]]\ncenter = [9, 9]",
            "[preset]\nname = 3",
            "[preset]\nname = \"clear\"\n[preset.glass]\nfrost = -3.0",
            "\u{0}",
        ] {
            std::fs::write(&file, text).unwrap();
            let said = LastSession::load(&file).unwrap_err();
            assert!(said.contains("starting with the defaults") && said.contains("last.toml.broken"), "{said}");
            assert_eq!(std::fs::read_to_string(folder.0.join("last.toml.broken")).unwrap(), text);
            assert_eq!(LastSession::load(&file), Ok(None));
        }
    }
}
