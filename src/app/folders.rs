//! User folders of the system (XDG Base Directory Specification; known folders on Windows).

use anyhow::{Context as _, Result, ensure};
use base::system::System;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NAME: &str = "meniscus";

/// The specification ignores relative paths.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute())
}

fn folder(name: &str, own: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
    variable(name).map(|folder| folder.join(NAME)).or_else(own)
}

pub fn config() -> Option<PathBuf> {
    folder("XDG_CONFIG_HOME", own::config)
}

pub fn state() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", own::state)
}

pub fn cache() -> Option<PathBuf> {
    folder("XDG_CACHE_HOME", own::cache)
}

#[cfg(not(windows))]
mod own {
    use super::{Kind, NAME, Path, PathBuf, variable};

    pub fn config() -> Option<PathBuf> {
        Some(variable("HOME")?.join(".config").join(NAME))
    }

    pub fn state() -> Option<PathBuf> {
        Some(variable("HOME")?.join(".local/state").join(NAME))
    }

    pub fn cache() -> Option<PathBuf> {
        Some(variable("HOME")?.join(".cache").join(NAME))
    }

    pub fn data() -> Option<PathBuf> {
        Some(variable("HOME")?.join(".local/share").join(NAME))
    }

    /// As `user-dirs.dirs` says, else of that name at home. The home folder itself is none of them: so a user turns one off.
    pub fn of_user(kind: Kind) -> Option<PathBuf> {
        let home = variable("HOME").unwrap_or_default();
        let config = variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        found(kind, &home, &config, variable(kind.variable()))
    }

    pub fn found(kind: Kind, home: &Path, config: &Path, first: Option<PathBuf>) -> Option<PathBuf> {
        let said = std::fs::read_to_string(config.join("user-dirs.dirs")).unwrap_or_default();
        let named = said.lines().find_map(|line| {
            let value = line.trim().strip_prefix(kind.variable())?.strip_prefix('=')?.trim_matches('"').to_owned();
            Some(value.strip_prefix("$HOME/").map_or_else(|| PathBuf::from(&value), |below| home.join(below)))
        });
        let folders = [first, named, Some(home.join(kind.name()))].into_iter().flatten();
        folders.filter(|folder| folder.is_absolute() && *folder != home).find(|folder| folder.is_dir())
    }
}

#[cfg(windows)]
mod own {
    use super::{Kind, NAME, PathBuf, variable};
    use known_folders::{KnownFolder, get_known_folder_path};

    pub fn config() -> Option<PathBuf> {
        Some(get_known_folder_path(KnownFolder::RoamingAppData)?.join(NAME))
    }

    pub fn state() -> Option<PathBuf> {
        Some(get_known_folder_path(KnownFolder::LocalAppData)?.join(NAME))
    }

    pub fn cache() -> Option<PathBuf> {
        Some(state()?.join("cache"))
    }

    pub fn data() -> Option<PathBuf> {
        state()
    }

    pub fn of_user(kind: Kind) -> Option<PathBuf> {
        let known = match kind {
            Kind::Pictures => KnownFolder::Pictures,
            Kind::Videos => KnownFolder::Videos,
        };
        let folders = [variable(kind.variable()), get_known_folder_path(known)];
        folders.into_iter().flatten().find(|folder| folder.is_dir())
    }
}

/// Folders of the user's own files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Pictures,
    Videos,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pictures => "Pictures",
            Self::Videos => "Videos",
        }
    }

    fn variable(self) -> &'static str {
        match self {
            Self::Pictures => "XDG_PICTURES_DIR",
            Self::Videos => "XDG_VIDEOS_DIR",
        }
    }

    /// Where there is none, the program's data folder, which is made.
    pub fn folder(self) -> Result<PathBuf> {
        if let Some(folder) = own::of_user(self) {
            return Ok(folder);
        }
        let data = folder("XDG_DATA_HOME", own::data).with_context(|| missing(self.name()))?;
        std::fs::create_dir_all(&data).with_context(|| format!("cannot make {}", data.display()))?;
        Ok(data)
    }
}

pub fn missing(what: &str) -> String {
    format!("there is no folder for {what} ({})", System::CURRENT.no_folder())
}

pub fn free_name(folder: &Path, what: &str, extension: &str) -> PathBuf {
    let stem = format!("{what} {}", stamp());
    let name = |number: u32| match number {
        1 => format!("{stem}.{extension}"),
        _ => format!("{stem} ({number}).{extension}"),
    };
    (1..100).map(|number| folder.join(name(number))).find(|file| !file.exists()).unwrap_or_else(|| folder.join(name(1)))
}

/// By the desktop's own program for folders.
pub fn show(file: &Path) -> Result<()> {
    let (program, marks) = if cfg!(windows) {
        ("explorer", Some("/select,"))
    } else if cfg!(target_os = "macos") {
        ("open", Some("-R"))
    } else {
        ("xdg-open", None)
    };
    show_with(program, marks, file)
}

/// `marks`: the option by which it marks a file in its folder.
fn show_with(program: &str, marks: Option<&str>, file: &Path) -> Result<()> {
    let folder = file.parent().unwrap_or(file);
    let mut command = Command::new(program);
    command.args(marks).arg(if marks.is_some() { file } else { folder });
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let named = || format!("{} is not shown: {program}", folder.display());
    let status = silent.status().with_context(named)?;
    // Windows' own ends with 1 when it has shown it.
    ensure!(status.success() || cfg!(windows), "{}: {status}", named());
    Ok(())
}

/// UTC, a valid file name on every system: `2026-11-23 12.34.56`.
pub fn stamp() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    stamp_of(since.as_secs())
}

/// In years that start in March: the leap day is the last.
fn stamp_of(seconds: u64) -> String {
    let (days, of_day) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + u64::from(month <= 2);
    let (hours, minutes, seconds) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02} {hours:02}.{minutes:02}.{seconds:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn names_are_free_and_a_folder_that_is_not_shown_is_a_line() {
        let folder = base::fixtures::Folder::new("saved-files");
        let first = free_name(&folder.0, "Meniscus", "png");
        std::fs::write(&first, "").unwrap();
        let second = free_name(&folder.0, "Meniscus", "png");
        assert!(first != second && !second.exists() && second.starts_with(&folder.0));
        show_with("true", None, &first).unwrap();
        show_with("test", Some("-f"), &first).unwrap();
        for (program, said) in [("false", "exit status: 1"), ("no-such-program", "No such file")] {
            let why = format!("{:#}", show_with(program, None, &first).unwrap_err());
            assert!(why.contains(&format!("is not shown: {program}: ")) && why.contains(said), "{why}");
        }
    }

    #[cfg(not(windows))]
    #[test]
    fn files_of_the_user_never_go_to_the_home_folder_itself() {
        let home = base::fixtures::Folder::new("user-folders");
        let found = |first: Option<&Path>| own::found(Kind::Videos, &home.0, &home.0, first.map(Path::to_owned));
        let make = |name: &str| {
            let folder = home.0.join(name);
            std::fs::create_dir_all(&folder).unwrap();
            folder
        };
        let says = |text: &str| home.write("user-dirs.dirs", format!("# of a test\n{text}\n"));
        assert_eq!(found(None), None);
        says("XDG_PICTURES_DIR=\"$HOME/films\"\nXDG_VIDEOS_DIR=\"$HOME/films\"");
        assert_eq!(found(None), None, "it does not exist");
        let videos = make("Videos");
        assert_eq!(found(None), Some(videos.clone()));
        let films = make("films");
        assert_eq!(found(None), Some(films.clone()));
        assert_eq!([found(Some(&videos)), found(Some(&home.0))], [Some(videos.clone()), Some(films)]);
        for off in ["$HOME/", "$HOME", "relative"] {
            says(&format!("XDG_VIDEOS_DIR=\"{off}\""));
            assert_eq!(found(None), Some(videos.clone()), "{off}");
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, stamp) in [
            (0, "1970-01-01 00.00.00"),
            (951_827_696, "2000-02-29 12.34.56"),
            (951_868_800, "2000-03-01 00.00.00"),
            (1_735_689_599, "2024-12-31 23.59.59"),
            (4_107_542_400, "2100-03-01 00.00.00"),
        ] {
            assert_eq!(stamp_of(seconds), stamp);
        }
    }
}
