//! The operating system at hand: its version, its paths, and its names for what messages mention.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Linux,
    Windows,
    MacOs,
}

impl System {
    pub const CURRENT: Self = match () {
        () if cfg!(windows) => Self::Windows,
        () if cfg!(target_os = "macos") => Self::MacOs,
        () => Self::Linux,
    };

    pub const fn loader(self) -> &'static str {
        match self {
            Self::Linux => "libvulkan.so.1, see scripts/setup",
            Self::Windows => "vulkan-1.dll, which comes with the GPU's driver",
            Self::MacOs => "libvulkan.dylib, which comes with the Vulkan SDK",
        }
    }

    pub const fn driver_remedy(self) -> &'static str {
        match self {
            Self::Linux => {
                "scripts/setup installs Mesa where nothing else is there; for an NVIDIA GPU install NVIDIA's own driver"
            }
            Self::Windows => "install the current driver of the GPU's manufacturer",
            Self::MacOs => "install the Vulkan SDK, which has MoltenVK",
        }
    }

    pub const fn validation_layer(self) -> &'static str {
        match self {
            Self::Linux => "package vulkan-validationlayers",
            Self::Windows | Self::MacOs => "it comes with the Vulkan SDK",
        }
    }

    pub const fn display(self) -> &'static str {
        match self {
            Self::Linux => "an X11 or Wayland display",
            Self::Windows | Self::MacOs => "a session with a desktop",
        }
    }

    pub const fn no_folder(self) -> &'static str {
        match self {
            Self::Windows => "Windows names none for this user",
            Self::Linux | Self::MacOs => "HOME is not set",
        }
    }

    pub const fn is_separator(self, letter: char) -> bool {
        letter == '/' || matches!((self, letter), (Self::Windows, '\\'))
    }

    /// `/`, or on Windows a drive with its root, or a network share.
    pub fn is_absolute(self, path: &str) -> bool {
        let drive_ends = |letter: char| self.is_separator(letter);
        match self {
            Self::Linux | Self::MacOs => path.starts_with('/'),
            Self::Windows => {
                let mut letters = path.chars();
                let first_three = [letters.next(), letters.next(), letters.next()];
                match first_three {
                    [Some(drive), Some(':'), Some(root)] => drive.is_ascii_alphabetic() && drive_ends(root),
                    _ => path.starts_with("\\\\") || path.starts_with("//"),
                }
            }
        }
    }
}

#[cfg(not(windows))]
pub fn version() -> String {
    let text = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).unwrap_or_default();
    name.trim_matches('"').to_owned()
}

#[cfg(windows)]
pub fn version() -> String {
    let now = windows_version::OsVersion::current();
    windows_name([now.major, now.minor, now.build], windows_version::is_server())
}

/// Windows 11 calls itself 10.0 and differs in the build alone.
#[cfg(any(windows, test))]
fn windows_name([major, minor, build]: [u32; 3], is_server: bool) -> String {
    const FIRST_ELEVEN: u32 = 22_000;
    let name = match (major, is_server) {
        (_, true) => "Windows Server".to_owned(),
        (10, false) if build >= FIRST_ELEVEN => "Windows 11".to_owned(),
        (major, false) => format!("Windows {major}"),
    };
    format!("{name} ({major}.{minor}.{build})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_versions_have_the_names_that_people_use() {
        assert_eq!(windows_name([10, 0, 19_045], false), "Windows 10 (10.0.19045)");
        assert_eq!(windows_name([10, 0, 26_100], false), "Windows 11 (10.0.26100)");
        assert_eq!(windows_name([10, 0, 20_348], true), "Windows Server (10.0.20348)");
    }

    #[test]
    fn absolute_paths_are_those_of_the_system() {
        for path in [r"C:\a.png", "d:/a.png", r"\\server\share\a.png", "//server/share/a.png", r"C:\Größe 日本\é.png"]
        {
            assert!(System::Windows.is_absolute(path), "{path}");
        }
        for path in ["", "C:", "C:a.png", r"\a.png", "/a.png", r"a\b.png", "1:/a", "é:/a", "a.png"] {
            assert!(!System::Windows.is_absolute(path), "{path}");
        }
        for system in [System::Linux, System::MacOs] {
            assert!(system.is_absolute("/a.png"));
            assert!(!system.is_absolute(r"C:\a.png") && !system.is_absolute("a/b"));
        }
    }

    #[test]
    fn messages_name_the_system_at_hand() {
        assert!(System::Windows.loader().contains("vulkan-1.dll") && System::Linux.loader().contains("libvulkan.so.1"));
        for text in [
            System::Windows.loader(),
            System::Windows.driver_remedy(),
            System::Windows.validation_layer(),
            System::Windows.display(),
            System::Windows.no_folder(),
        ] {
            let is_of_linux = ["scripts/", "HOME", "Mesa", "X11", ".so"].iter().any(|word| text.contains(word));
            assert!(!is_of_linux, "{text}");
        }
    }
}
