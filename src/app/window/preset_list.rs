//! Presets of a document: the built-in ones, and those of this user.

use crate::lens_layout::Layout;
use crate::presets::LoadedPreset;
use crate::presets::Presets;
use anyhow::{Result, anyhow};
use std::path::{Path, PathBuf};
use techniques::{Settings, retired};
use ui::{Extent, PresetName};

pub struct PresetList {
    presets: Presets,
    names: Vec<PresetName>,
}

pub struct AppliedPreset {
    pub settings: Settings,
    pub layout: Option<Layout>,
    pub retired: Vec<String>,
}

impl AppliedPreset {
    pub fn new(name: &str, table: Result<toml::Table>, over: &Settings) -> Result<Self> {
        let (mut table, mut settings) = (table?, over.clone());
        let failed = |why: String| anyhow!("preset {name}: {why}");
        let layout = Layout::take(&mut table).map_err(failed)?;
        let retired = retired::remove(&mut table);
        settings.lay(table).map_err(failed)?;
        layout.iter().for_each(|layout| layout.shape(&mut settings.glass));
        Ok(Self { settings, layout, retired })
    }

    pub fn of_path(file: &Path, over: &Settings) -> Result<Self> {
        let mut settings = over.clone();
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let path = toml::Value::String(file.display().to_string());
        let glass = [("mode", "lens".into()), ("path", path), ("text", "".into())];
        let glass = toml::Table::from_iter(glass.map(|(name, value)| (name.to_owned(), value)));
        settings
            .lay(toml::Table::from_iter([("glass".to_owned(), toml::Value::Table(glass))]))
            .map_err(|why| anyhow!("{why}"))?;
        let lens = settings.glass.placed(glam::Vec2::ZERO);
        glass::check_paths(&[lens]).map_err(|why| anyhow!("{why}"))?;
        glass::fit_box(&mut settings.glass);
        Ok(Self { settings, layout: None, retired: Vec::new() })
    }
}

impl Default for PresetList {
    fn default() -> Self {
        let presets = Presets::of_this_user();
        Self { names: presets.list(), presets }
    }
}

impl PresetList {
    pub fn names(&self) -> &[PresetName] {
        &self.names
    }

    pub fn load(&self, name: &str, over: &Settings) -> Result<AppliedPreset> {
        AppliedPreset::new(name, self.presets.load(name), over)
    }

    pub fn preset_of(&self, settings: &Settings) -> Option<LoadedPreset> {
        let is_theirs = |name: &&str| self.load(name, settings).is_ok_and(|of| of.settings.glass == settings.glass);
        let name = self.names.iter().map(|preset| preset.name.as_str()).find(is_theirs)?;
        Some(LoadedPreset { name: name.to_owned(), glass: settings.glass.clone() })
    }

    pub fn save(
        &mut self,
        name: &str,
        settings: &Settings,
        extent: Extent,
        layout: Option<&Layout>,
    ) -> Result<PathBuf> {
        let file = self.presets.save(name, settings, extent, layout)?;
        self.names = self.presets.list();
        Ok(file)
    }

    pub fn delete(&mut self, name: &str) -> Result<PathBuf> {
        let file = self.presets.delete(name)?;
        self.names = self.presets.list();
        Ok(file)
    }
}
