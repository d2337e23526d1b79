//! User folders of the system (XDG Base Directory Specification; known folders on Windows).

use base::system::System;
use std::path::PathBuf;

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
    use super::{NAME, PathBuf, variable};

    pub fn config() -> Option<PathBuf> {
        Some(variable("HOME")?.join(".config").join(NAME))
    }

    pub fn state() -> Option<PathBuf> {
        Some(variable("HOME")?.join(".local/state").join(NAME))
    }

    pub fn cache() -> Option<PathBuf> {
        Some(variable("HOME")?.join(".cache").join(NAME))
    }

    /// Else `Pictures` at home, else the home folder.
    pub fn pictures() -> Option<PathBuf> {
        let home = variable("HOME")?;
        let config = variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let said = std::fs::read_to_string(config.join("user-dirs.dirs")).unwrap_or_default();
        let named = said.lines().find_map(|line| {
            let value = line.trim().strip_prefix("XDG_PICTURES_DIR=")?.trim_matches('"').to_owned();
            Some(value.strip_prefix("$HOME/").map_or_else(|| PathBuf::from(&value), |below| home.join(below)))
        });
        let folders = [named, Some(home.join("Pictures"))].into_iter().flatten();
        Some(folders.into_iter().find(|folder| folder.is_dir()).unwrap_or(home))
    }
}

#[cfg(windows)]
mod own {
    use super::{NAME, PathBuf};
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

    pub fn pictures() -> Option<PathBuf> {
        let folder = get_known_folder_path(KnownFolder::Pictures).filter(|folder| folder.is_dir());
        folder.or_else(|| get_known_folder_path(KnownFolder::Profile))
    }
}

pub fn pictures() -> Option<PathBuf> {
    variable("XDG_PICTURES_DIR").filter(|folder| folder.is_dir()).or_else(own::pictures)
}

pub fn missing(what: &str) -> String {
    format!("there is no folder for {what} ({})", System::CURRENT.no_folder())
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
