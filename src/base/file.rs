//! Atomic file writes, and bounded reads.

use super::text;
use std::{
    fs,
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, Result, anyhow, bail, ensure};

pub const STANDARD_OUTPUT: &str = "-";

/// `expected` ends the error message.
pub fn read_bounded(path: &Path, most: u64, expected: &str) -> Result<Vec<u8>> {
    let there = fs::metadata(path)?;
    ensure!(!there.is_dir(), "it is a folder; {expected}");
    // Opening or reading a pipe or a device might block.
    ensure!(there.is_file(), "it is not a plain file; {expected}");
    let too_long = |length: u64| {
        let (length, most) = (text::bytes(length), text::bytes(most));
        anyhow!("the file has {length}; expected at most {most}")
    };
    ensure!(there.len() <= most, too_long(there.len()));
    let mut bytes = Vec::with_capacity(there.len() as usize);
    fs::File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= most, too_long(bytes.len() as u64));
    Ok(bytes)
}

pub fn check_writable(path: &Path) -> Result<(), String> {
    if path.file_name().is_none() {
        return Err("it names no file".into());
    }
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => return Err("it is a folder".into()),
        Ok(there) if there.permissions().readonly() => return Err("it is read-only".into()),
        Ok(there) if !there.is_file() => return Ok(()),
        Err(error) if error.kind() == ErrorKind::InvalidFilename => return Err(error.to_string()),
        _ => {}
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err("its folder does not exist".into());
    }
    let trial = temporary_beside(path).ok_or("it names no file")?;
    let tried = fs::File::create_new(&trial).and_then(|_| fs::remove_file(&trial));
    tried.map_err(|error| format!("nothing can be written to its folder ({error})"))
}

pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
    file.commit()
}

static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub fn remove_parts() {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner).drain(..).for_each(|part| drop(fs::remove_file(part)));
}

fn forget_part(gone: &Path) {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner).retain(|part| part != gone);
}

/// Written next to its path and renamed when complete. Links are followed, permissions kept, special files written
/// directly. Dropped before [`AtomicFile::commit`], it leaves nothing.
#[derive(Debug)]
pub struct AtomicFile {
    file: fs::File,
    /// `None` for a special file.
    renamed: Option<[PathBuf; 2]>,
    shown: String,
}

impl AtomicFile {
    pub fn create(path: &Path) -> Result<AtomicFile> {
        let shown = path.display().to_string();
        // A rename would replace the link, not the file behind it.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let there = fs::metadata(&path).ok();
        match &there {
            Some(there) if there.is_dir() => bail!("cannot write {shown}: it is a folder; expected the name of a file"),
            // A rename checks only the folder's permissions, and root ignores those.
            Some(there) if there.permissions().readonly() => {
                bail!("cannot write {shown}: it is read-only; expected a file that may be written")
            }
            Some(there) if !there.is_file() => {
                let file = fs::OpenOptions::new().write(true).open(&path);
                let file = file.with_context(|| format!("cannot write {shown}"))?;
                return Ok(AtomicFile { file, renamed: None, shown });
            }
            _ => {}
        }
        let beside =
            temporary_beside(&path).with_context(|| format!("cannot write {shown}: expected the name of a file"))?;
        let file = fs::File::create_new(&beside).with_context(|| format!("cannot write {shown}"))?;
        PARTS.lock().unwrap_or_else(PoisonError::into_inner).push(beside.clone());
        let begun = AtomicFile { file, renamed: Some([path, beside]), shown };
        if let Some(there) = &there {
            begun.file.set_permissions(there.permissions()).with_context(|| format!("cannot write {}", begun.shown))?;
        }
        Ok(begun)
    }

    /// Where its bytes are until then.
    pub fn place(&self) -> Option<&Path> {
        self.renamed.as_ref().map(|[_, beside]| beside.as_path())
    }

    pub fn commit(mut self) -> Result<()> {
        let Some([path, beside]) = &self.renamed else { return Ok(()) };
        // Without this, a power failure may keep the rename and lose the bytes.
        let renamed = self.file.sync_all().and_then(|()| fs::rename(beside, path));
        renamed.with_context(|| format!("cannot write {}", self.shown))?;
        forget_part(beside);
        self.renamed = None;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some([_, beside]) = &self.renamed {
            let _ = fs::remove_file(beside);
            forget_part(beside);
        }
    }
}

/// Whether every file system accepts this name (before the extension), and it is easy to type.
pub fn is_file_stem(name: &str) -> bool {
    const LONGEST_BYTES: usize = 100;
    let fits = |c: char| !c.is_control() && !r#"/\:*?"<>|"#.contains(c);
    let is_trimmed = name.trim() == name && !name.starts_with('.') && !name.ends_with('.');
    (1..=LONGEST_BYTES).contains(&name.len()) && is_trimmed && name.chars().all(fits)
}

/// In the same folder: a rename across file systems is a copy.
fn temporary_beside(path: &Path) -> Option<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    path.file_name()?;
    Some(path.with_file_name(format!(".meniscus-{}-{count}.part", std::process::id())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Folder;

    #[cfg(unix)]
    #[test]
    fn names_may_be_as_long_as_the_file_system_allows() {
        use std::os::unix::ffi::OsStringExt as _;
        let folder = Folder::new("write-names");
        let ending = |bytes: usize| format!("{}.png", "a".repeat(bytes - 4));
        let names = [ending(255).into_bytes(), format!("{}a", "\u{fc}".repeat(127)).into_bytes(), vec![0xff; 255]];
        for name in names {
            let path = folder.0.join(std::ffi::OsString::from_vec(name));
            for bytes in [b"one", b"two"] {
                assert_eq!(check_writable(&path), Ok(()));
                write_atomically(&path, bytes).unwrap();
                assert_eq!(fs::read(&path).unwrap(), bytes);
            }
        }
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3);
        let long = folder.0.join(ending(256));
        assert!(check_writable(&long).unwrap_err().contains("too long"), "known before any work is done");
        assert!(write_atomically(&long, b"x").is_err());
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3);
    }

    #[test]
    fn a_write_in_progress_is_known_until_it_ends() {
        let folder = Folder::new("write-parts");
        let is_known = || PARTS.lock().unwrap().iter().any(|part| part.starts_with(&folder.0));
        for ends in [true, false] {
            let file = AtomicFile::create(&folder.0.join("a.png")).unwrap();
            assert!(is_known());
            if ends {
                file.commit().unwrap()
            } else {
                drop(file)
            }
            assert!(!is_known());
        }
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
        for path in [&file, &link, &folder.0.join("new"), Path::new("/dev/null")] {
            assert_eq!(check_writable(path), Ok(()), "{}", path.display());
        }
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2, "a trial leaves nothing");
    }

    #[cfg(unix)]
    #[test]
    fn keeps_permissions_and_spares_what_is_read_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("write-modes");
        let file = folder.0.join("file");
        fs::write(&file, b"old").unwrap();
        let mode = |bits| fs::set_permissions(&file, fs::Permissions::from_mode(bits)).unwrap();
        mode(0o640);
        write_atomically(&file, b"new").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        mode(0o444);
        let error = format!("{:#}", write_atomically(&file, b"newer").unwrap_err());
        assert!(error.contains("read-only"), "{error}");
        assert_eq!((fs::read(&file).unwrap(), check_writable(&file)), (b"new".to_vec(), Err("it is read-only".into())));
        for (path, wanted) in [(folder.0.clone(), "it is a folder"), (folder.0.join("no/file"), "does not exist")] {
            assert!(check_writable(&path).unwrap_err().contains(wanted));
        }
    }

    #[cfg(unix)]
    #[test]
    fn reads_plain_files_up_to_a_bound() {
        let folder = Folder::new("read");
        let (file, pipe) = (folder.0.join("file"), folder.0.join("pipe"));
        fs::write(&file, b"12345").unwrap();
        assert_eq!(read_bounded(&file, 5, "").unwrap(), b"12345");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let link = folder.0.join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        for (path, wanted) in [(&file, "at most 4 B"), (&pipe, "plain"), (&link, "plain"), (&folder.0, "a folder")] {
            let error = format!("{:#}", read_bounded(path, 4, "expected x").unwrap_err());
            assert!(error.contains(wanted), "{error}");
        }
    }
}
