//! Errors of the GPU layer.
use crate::base::system::System;
use ash::vk;

/// Error of the GPU layer; each names what was expected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No loader, no driver, or no usable device.
    #[error("{0}")]
    NoDevice(String),
    /// The device stopped answering.
    #[error(
        "the GPU was lost, last pass that ended: {ended}, last pass recorded: {pass}; start again, and if it is lost again choose \
         another with --gpu or take a newer driver"
    )]
    DeviceLost {
        /// The last submitted pass.
        pass: String,
        /// The last pass known to have completed.
        ended: String,
        /// Lines of the driver about the fault, for the crash report.
        fault: String,
    },
    /// Allocation failed.
    #[error("{what}: out of memory ({detail}); a smaller window, picture or scene needs less")]
    OutOfMemory {
        /// Name of the resource.
        what: String,
        /// The allocator's message.
        detail: String,
    },
    /// A pass and its shader disagree about names, kinds or sizes.
    #[error("pass {pass}: {problem}")]
    Pass {
        /// Path of the pass.
        pass: String,
        /// The disagreement, and what was expected.
        problem: String,
    },
    /// A shader does not compile, does not reflect, or does not match its Rust struct.
    #[error("shader {name}: {problem}")]
    Shader {
        /// File below `shaders/`.
        name: String,
        /// Message of the compiler or the check.
        problem: String,
    },
    /// The window's surface is out of date: recreate the swapchain.
    #[error("the swapchain no longer fits its window")]
    OutOfDate,
    /// The window's surface is lost: recreate the surface.
    #[error("the window's surface was lost")]
    SurfaceLost,
    /// No image of the window within the timeout; the window is hidden, or its display is busy.
    #[error("the window gave no image to draw to")]
    NoImageYet,
    /// Any other error of the driver.
    #[error("{what}: {result}")]
    Vulkan {
        /// The call.
        what: String,
        /// Its result.
        result: vk::Result,
    },
}

/// Result of the GPU layer.
pub type Result<T> = std::result::Result<T, Error>;

/// Adds the call's name to a driver's error.
pub(super) trait Context<T> {
    /// `what` names the call and the object, as text.
    fn context(self, what: &str) -> Result<T>;
}

impl<T> Context<T> for std::result::Result<T, vk::Result> {
    fn context(self, what: &str) -> Result<T> {
        self.map_err(|result| Error::refused(what, result))
    }
}

/// Why there is no driver. A variable that replaces the system's list of drivers is the first suspect.
fn no_driver(variable: impl Fn(&str) -> Option<String>) -> String {
    let list = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].into_iter().find_map(|name| Some((name, variable(name)?)));
    match list {
        Some((name, files)) => {
            format!("no Vulkan driver in {name}={files}; expected manifests of drivers (*.json), or the variable unset")
        }
        None => format!("no Vulkan driver; {}", System::CURRENT.driver_remedy()),
    }
}

impl Error {
    /// The loader found no driver, or none has a device.
    pub(super) fn no_driver() -> Self {
        Self::NoDevice(no_driver(|variable| std::env::var(variable).ok()))
    }

    /// Maps a driver's error; `what` names the call and the object, as text.
    pub(super) fn refused(what: &str, result: vk::Result) -> Self {
        match result {
            vk::Result::ERROR_OUT_OF_DATE_KHR => Self::OutOfDate,
            vk::Result::ERROR_SURFACE_LOST_KHR => Self::SurfaceLost,
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY | vk::Result::ERROR_OUT_OF_HOST_MEMORY => {
                Self::OutOfMemory { what: what.into(), detail: result.to_string() }
            }
            vk::Result::ERROR_DEVICE_LOST => {
                Self::DeviceLost { pass: format!("unknown, in {what}"), ended: "unknown".into(), fault: String::new() }
            }
            vk::Result::ERROR_INCOMPATIBLE_DRIVER => Self::no_driver(),
            result => Self::Vulkan { what: what.into(), result },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_drivers_without_one_is_named() {
        let with = |set: &'static str| no_driver(move |name| (name == set).then(|| "/nowhere/x.json".to_owned()));
        assert!(with("VK_DRIVER_FILES").contains("VK_DRIVER_FILES=/nowhere/x.json;"));
        assert!(with("VK_ICD_FILENAMES").contains("VK_ICD_FILENAMES=/nowhere/x.json;"));
        assert!(with("HOME").contains("scripts/setup"));
    }
}
