//! Presets by name: built-in and saved ones.

use super::folders;
use super::lens_layout::Layout;
use anyhow::{Context as _, Result, anyhow, bail};
use base::file::{is_file_stem, read_bounded, write_atomically};
use base::settings::{parse_table, to_toml};
use base::text::suggestion;
use glass::{GlassSettings, Preset};
use media::{picture, png};
use serde::Serialize;
use std::path::{Path, PathBuf};
use techniques::Settings;
use ui::{Extent, PresetName};

#[derive(Clone, Debug, PartialEq)]
pub struct LoadedPreset {
    pub name: String,
    pub glass: GlassSettings,
}

impl LoadedPreset {
    /// Its name, and whether this glass is still that of the preset.
    pub fn active(&self, glass: &GlassSettings) -> (&str, bool) {
        (&self.name, *glass == self.glass)
    }
}

/// Name, title and text.
fn built_in() -> Vec<[String; 3]> {
    let style = |style: &Preset| {
        let text = format!("[glass]\nmode = \"lens\"\npreset = \"{}\"\n", style.name());
        [style.name().into(), style.title(), text]
    };
    let first = [Preset::Clear, Preset::Frosted, Preset::SystemClear, Preset::SystemRegular];
    let others = Preset::ALL.iter().filter(|style| !first.contains(style));
    let mut all: Vec<_> = first.iter().chain(others).map(style).collect();
    all.insert(8, ["source", "Reference", "[glass]\nmode = \"source\"\n"].map(String::from));
    let lenses = include_str!("../../assets/presets/glass_on_glass.toml");
    all.push(["glass_on_glass", "Glass on glass", lenses].map(String::from));
    all
}

pub const PRESET: &str = "meniscus:preset";

#[derive(Clone, Debug)]
pub struct Presets {
    folder: Option<PathBuf>,
}

impl Presets {
    pub fn of_this_user() -> Self {
        Self { folder: folders::config().map(|config| config.join("presets")) }
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = built_in().into_iter().map(|[name, ..]| name).collect();
        let saved = self.files().into_iter().filter_map(|file| stem(&file).map(str::to_owned));
        let mut saved: Vec<String> = saved.filter(|name| !names.contains(name)).collect();
        saved.sort();
        names.extend(saved);
        names
    }

    /// Files whose names are no names of presets.
    pub fn unnamed(&self) -> Vec<PathBuf> {
        self.files().into_iter().filter(|file| stem(file).is_none()).collect()
    }

    fn files(&self) -> Vec<PathBuf> {
        let files = self.folder.as_ref().and_then(|folder| std::fs::read_dir(folder).ok());
        let files = files.into_iter().flatten().flatten().map(|entry| entry.path());
        files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect()
    }

    pub fn list(&self) -> Vec<PresetName> {
        let built_in = built_in();
        let named = |name: String| {
            let file = self.file(&name).filter(|file| file.is_file()).map(|file| file.display().to_string());
            let known = built_in.iter().find(|[known, ..]| file.is_none() && *known == name);
            PresetName { title: known.map_or(&name, |[_, title, _]| title).clone(), name, file }
        };
        self.names().into_iter().map(named).collect()
    }

    pub fn delete(&self, name: &str) -> Result<PathBuf> {
        let file = self.file(name).with_context(|| format!("no preset \"{name}\" was saved"))?;
        std::fs::remove_file(&file).with_context(|| format!("cannot delete {}", file.display()))?;
        Ok(file)
    }

    pub fn load(&self, name: &str) -> Result<toml::Table> {
        if let Some(file) = self.file(name).filter(|file| file.is_file()) {
            return load_file(&file);
        }
        let named = name.to_lowercase();
        let is_named = |known: &str, title: &str| {
            known == name || known.replace('_', " ") == named || title.to_lowercase() == named
        };
        let known = built_in().into_iter().find(|[known, title, _]| is_named(known, title));
        let [_, _, text] = known.ok_or_else(|| {
            let names = self.names();
            let hint = suggestion(name, names.iter().map(String::as_str));
            anyhow!("there is no preset \"{name}\"{hint}")
        })?;
        parse_table(&text).map_err(|why| anyhow!("preset {name}: {why}"))
    }

    pub fn save(&self, name: &str, settings: &Settings, extent: Extent, layout: Option<&Layout>) -> Result<PathBuf> {
        anyhow::ensure!(
            is_file_stem(name),
            "\"{name}\" cannot be the name of a preset; expected one without any of / \\ : * ? \" < > |"
        );
        let file = self.file(name).with_context(|| folders::missing("settings"))?;
        let text = match extent {
            Extent::Everything => text(settings, layout),
            Extent::Glass => text(&GlassAlone { glass: &settings.glass }, layout),
        }?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        write_atomically(&file, text.as_bytes())?;
        Ok(file)
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref().filter(|_| is_file_stem(name))?.join(format!("{name}.toml")))
    }
}

fn stem(file: &Path) -> Option<&str> {
    file.file_stem()?.to_str().filter(|stem| is_file_stem(stem))
}

pub fn text(settings: &impl Serialize, layout: Option<&Layout>) -> Result<String> {
    let text = to_toml(settings).map_err(|why| anyhow!("the settings cannot be written: {why}"))?;
    let Some(layout) = layout else { return Ok(text) };
    let mut table = toml::Table::new();
    layout.put(&mut table)?;
    Ok(format!("{}\n\n{}", text.trim_end(), toml::to_string(&table)?))
}

#[derive(Serialize)]
struct GlassAlone<'a> {
    glass: &'a GlassSettings,
}

pub fn is_picture(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

pub fn within_picture(file: &Path) -> Option<Result<toml::Table>> {
    let shown = file.display();
    std::fs::metadata(file).ok().filter(|there| there.is_file() && there.len() <= picture::MOST_BYTES)?;
    let text = png::text(std::io::BufReader::new(std::fs::File::open(file).ok()?), PRESET).ok()??;
    Some(parse_table(&text).map_err(|why| anyhow!("the preset within {shown}: {why}")))
}

pub fn load_file(file: &Path) -> Result<toml::Table> {
    let shown = file.display();
    if is_picture(file) {
        return within_picture(file)
            .unwrap_or_else(|| bail!("{shown} carries no preset; expected a picture that F2 has taken"));
    }
    table_of(file).with_context(|| format!("preset {shown}"))
}

/// 2048 lenses that state all of their glass.
const MOST_BYTES: u64 = 4 << 20;

pub fn table_of(file: &Path) -> Result<toml::Table> {
    let bytes = read_bounded(file, MOST_BYTES, "expected a TOML file")?;
    let text = String::from_utf8(bytes).ok().context("expected TOML in UTF-8")?;
    parse_table(&text).map_err(|why| anyhow!("{why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;

    #[test]
    fn a_preset_states_all_that_it_means() {
        use glass::Mode;
        let presets = Presets { folder: None };
        let loaded = |name: &str, over: &Settings| {
            let (mut settings, mut table) = (over.clone(), presets.load(name).unwrap());
            Layout::take(&mut table).unwrap();
            settings.lay(table).unwrap();
            settings
        };
        for name in presets.names() {
            let fresh = loaded(&name, &Settings::default());
            assert_eq!(fresh.glass.mode == Mode::Source, name == "source");
            for before in presets.names() {
                let after = loaded(&name, &loaded(&before, &Settings::default()));
                let same_style = after.glass.preset == fresh.glass.preset || name == "source";
                assert!(after.glass.mode == fresh.glass.mode && same_style, "{name} after {before}");
                assert!(name == "source" || after.glass == fresh.glass, "{name} after {before}");
            }
            let mut changed = fresh.clone();
            changed.glass.frost = 33.0;
            assert!(name == "source" || loaded(&name, &changed).glass == fresh.glass, "{name} again");
        }
    }

    #[test]
    fn saved_presets_are_restored_and_take_precedence() {
        let folder = Folder::new("presets");
        let presets = Presets { folder: Some(folder.0.join("made/when/needed")) };
        let mut settings = Settings::default();
        settings.glass.frost = 3.0;
        let layout =
            Layout::take(&mut parse_table("[[lens]]\ncenter = [0.25, 0.75]\nangle = 12.5\n").unwrap()).unwrap();
        for name in ["mine", "clear"] {
            presets.save(name, &settings, Extent::Everything, layout.as_ref()).unwrap();
            let (mut table, mut loaded) = (presets.load(name).unwrap(), Settings::default());
            assert_eq!(Layout::take(&mut table).unwrap(), layout);
            loaded.lay(table).unwrap();
            assert_eq!(loaded, settings);
        }
        assert_eq!(presets.names().last().map(String::as_str), Some("mine"));
        assert_eq!(presets.names().iter().filter(|name| *name == "clear").count(), 1);
    }

    #[test]
    fn a_preset_of_the_glass_leaves_all_else_and_can_be_deleted() {
        let folder = Folder::new("glass-presets");
        let presets = Presets { folder: Some(folder.0.clone()) };
        let mut settings = Settings::default();
        settings.glass.frost = 3.0;
        settings.display.frames_in_flight = 3;
        presets.save("mine", &settings, Extent::Glass, None).unwrap();
        let mut other = Settings::default();
        other.scene.orbit = 20.0;
        other.lay(presets.load("mine").unwrap()).unwrap();
        assert_eq!((other.glass.frost, other.scene.orbit), (3.0, 20.0));
        assert_eq!(other.display, Settings::default().display);
        let list = presets.list();
        let mine = list.iter().find(|preset| preset.name == "mine").unwrap();
        assert!(mine.file.as_ref().unwrap().ends_with("mine.toml"));
        assert!(list.iter().any(|preset| preset.name == "source" && preset.title == "Reference"));
        assert_eq!(presets.load("reference").unwrap(), presets.load("source").unwrap());
        assert!(presets.delete("mine").is_ok() && presets.delete("mine").is_err() && presets.delete("../x").is_err());
        assert!(!presets.names().contains(&"mine".to_owned()));
    }

    #[test]
    fn bad_names_and_files_are_reported() {
        let folder = Folder::new("bad-presets");
        let presets = Presets { folder: Some(folder.0.clone()) };
        let said = |result: Result<toml::Table>| format!("{:#}", result.unwrap_err());
        assert!(said(presets.load("../x")).contains("there is no preset"));
        for name in ["my preset", "\u{fc}n\u{ef}", "a.b", "x-1"] {
            presets.save(name, &Settings::default(), Extent::Glass, None).unwrap();
            assert!(presets.names().contains(&name.to_owned()) && presets.load(name).is_ok(), "{name}");
        }
        for name in ["", " a", "a ", ".a", "a.", "a/b", "a\\b", "c:d", "a\nb", &"x".repeat(101)] {
            assert!(!is_file_stem(name), "{name}");
        }
        assert!(presets.save("../x", &Settings::default(), Extent::Glass, None).is_err());
        assert!(presets.unnamed().is_empty());
        std::fs::write(folder.0.join(" a.toml"), "").unwrap();
        assert_eq!(presets.unnamed(), [folder.0.join(" a.toml")]);
        #[cfg(target_os = "linux")]
        {
            use std::os::unix::ffi::OsStrExt as _;
            let file = folder.0.join(std::ffi::OsStr::from_bytes(b"b\xFFd.toml"));
            std::fs::write(&file, "").unwrap();
            assert!(presets.unnamed().contains(&file) && presets.unnamed().len() == 2);
        }
        let file = folder.0.join("broken.toml");
        std::fs::write(&file, vec![b'#'; MOST_BYTES as usize + 1]).unwrap();
        assert!(said(load_file(&file)).contains("at most"));
    }
}
