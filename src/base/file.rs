//! Writing files so that no reader ever sees half of one.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use anyhow::{Context, Result, bail};

/// Writes `bytes` to a new file beside `path`, then renames it: whoever looks at `path` sees the old file or the new one, whole.
/// A link is followed, and what is no plain file (a pipe, a device) is written straight to.
///
/// # Errors
/// Names the path and what the system said; then `path` is as it was and nothing is left beside it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let shown = path.display();
    // A rename would replace the link, not the file behind it.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&path) {
        Ok(there) if there.is_dir() => bail!("cannot write {shown}: it is a folder; expected the name of a file"),
        Ok(there) if !there.is_file() => {
            return fs::write(&path, bytes).with_context(|| format!("cannot write {shown}"));
        }
        _ => {}
    }
    let beside =
        temporary_beside(&path).with_context(|| format!("cannot write {shown}: expected the name of a file"))?;
    let written = (|| {
        let mut file = fs::File::create_new(&beside)?;
        file.write_all(bytes)?;
        // Without this, a power cut may keep the rename and lose the bytes.
        file.sync_all()?;
        fs::rename(&beside, &path)
    })();
    written
        .inspect_err(|_| {
            let _ = fs::remove_file(&beside);
        })
        .with_context(|| format!("cannot write {shown}"))
}

/// A name in the same folder (a rename across file systems is a copy) that no other write of this or another process uses.
fn temporary_beside(path: &Path) -> Option<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name()?.to_string_lossy();
    Some(path.with_file_name(format!(".{name}.{}-{count}.part", std::process::id())))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An empty folder of this test's own, removed when dropped.
    pub(crate) struct Folder(pub PathBuf);

    impl Folder {
        pub(crate) fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("meniscus-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn writes_and_replaces_and_leaves_nothing_beside() {
        let folder = Folder::new("write");
        let path = folder.0.join("a.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    }

    #[test]
    fn says_what_is_wrong_with_the_path() {
        let folder = Folder::new("write-errors");
        for (path, words) in [(folder.0.clone(), "folder"), (folder.0.join("no/such/a.png"), "cannot write")] {
            let error = format!("{:#}", write_atomically(&path, b"x").unwrap_err());
            assert!(error.contains(words) && error.contains(&path.display().to_string()), "{error}");
        }
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_and_spares_devices() {
        let folder = Folder::new("write-links");
        let (file, link) = (folder.0.join("file"), folder.0.join("link"));
        write_atomically(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        write_atomically(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
