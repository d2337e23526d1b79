//! Crash report: everything needed to diagnose an abnormal exit.

use super::failure::Failure;
use super::folders;
use base::file::write_atomically;
use base::guard::is_guarded;
use base::system;
use gpu::{DeviceInfo, Error};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const MOST_FILES: usize = 10;

struct Known {
    device: String,
    settings: String,
}

static KNOWN: Mutex<Known> = Mutex::new(Known { device: String::new(), settings: String::new() });

pub fn note_device(facts: &DeviceInfo) {
    let device = format!("{} ({}), Vulkan {}", facts.name, facts.driver, facts.api);
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).device = device;
}

pub fn note_settings(settings: String) {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).settings = settings;
}

/// Except for panics in libraries that read files: the error names the file.
pub fn watch_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_library = panic.location().is_some_and(|place| Path::new(place.file()).is_absolute());
        if is_library && is_guarded() {
            log::info!("{panic}");
            return;
        }
        before(panic);
        let trace = std::backtrace::Backtrace::force_capture();
        if let Some(file) = leave(&format!("{panic}\n\n{trace}")) {
            eprintln!("meniscus: this is a fault of the program; a report lies in {}", file.display());
        }
    }));
}

pub fn of(error: anyhow::Error) -> Failure {
    let is_death = error.chain().any(|cause| cause.downcast_ref::<Error>().is_some_and(is_death));
    let fault = error.chain().find_map(|cause| match cause.downcast_ref::<Error>() {
        Some(Error::DeviceLost { fault, .. }) => Some(format!("\n\n{fault}")),
        _ => None,
    });
    let failure = Failure::from(error);
    let report = is_death.then(|| leave(&format!("{failure}{}", fault.unwrap_or_default()))).flatten();
    failure.and(report.map(|file| format!("; a report lies in {}", file.display())).unwrap_or_default())
}

fn is_death(error: &Error) -> bool {
    match error {
        Error::DeviceLost { .. }
        | Error::OutOfMemory { .. }
        | Error::Pass { .. }
        | Error::Shader { .. }
        | Error::Vulkan { .. } => true,
        Error::NoDevice(_) | Error::OutOfDate | Error::SurfaceLost { .. } | Error::NoImageYet => false,
    }
}

fn leave(why: &str) -> Option<PathBuf> {
    let folder = folders::state()?.join("reports");
    write(&folder, why).inspect_err(|error| log::info!("no report: {error:#}")).ok()
}

fn write(folder: &Path, why: &str) -> anyhow::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let file = folder.join(format!("{} {}.txt", folders::stamp(), std::process::id()));
    write_atomically(&file, text(why).as_bytes())?;
    let mut there: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    there.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    there.sort();
    let surplus = there.len().saturating_sub(MOST_FILES);
    there.iter().take(surplus).for_each(|file| drop(fs::remove_file(file)));
    Ok(file)
}

fn text(why: &str) -> String {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let device = if known.device.is_empty() { "none was opened" } else { &known.device };
    let mut text = format!("Meniscus {}\n", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "System: {} {} {}", std::env::consts::OS, std::env::consts::ARCH, system::version());
    let _ = writeln!(text, "GPU: {device}\n\n{why}\n\nSettings:\n\n{}", known.settings);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;

    #[test]
    fn a_report_has_all_that_is_known_and_they_are_few() {
        let folder = Folder::new("reports");
        KNOWN.lock().unwrap().device = "a card (a driver), Vulkan 1.3".into();
        note_settings("[glass]\nfrost = 3.0\n".into());
        for number in 0..20 {
            fs::write(folder.0.join(format!("2001-01-{number:02}.txt")), "").unwrap();
        }
        let file = write(&folder.0, "the GPU was lost, last pass that ended: shade/tone").unwrap();
        let text = fs::read_to_string(&file).unwrap();
        for part in [env!("CARGO_PKG_VERSION"), "a card (a driver)", "last pass that ended: shade/tone", "frost = 3.0"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), MOST_FILES);
    }

    #[test]
    fn expected_errors_leave_no_report() {
        let lost = Error::DeviceLost { pass: "shade/tone".into(), ended: "shade/list".into(), fault: String::new() };
        let gone = Error::SurfaceLost { what: "surface".into(), detail: "gone".into() };
        assert!(is_death(&lost) && !is_death(&gone));
        let none = || anyhow::Error::from(Error::NoDevice("no driver".into()));
        assert_eq!(of(none()), Failure::failed("no driver"));
        let typed = || Failure::bad("--png x");
        assert_eq!(of(typed().into()), typed());
    }
}
