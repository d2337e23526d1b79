//! Errors of the GPU layer.
use ash::vk;
use base::system::System;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    NoDevice(String),
    #[error(
        "the GPU was lost, last pass that ended: {ended}, last pass recorded: {pass}; start again, and if it is lost again choose \
         another with --gpu or take a newer driver"
    )]
    DeviceLost { pass: String, ended: String, fault: String },
    #[error("{what}: out of memory ({detail}); a smaller window, picture or scene needs less")]
    OutOfMemory { what: String, detail: String },
    #[error("pass {pass}: {problem}")]
    Pass { pass: String, problem: String },
    #[error("shader {name}: {problem}")]
    Shader { name: String, problem: String },
    #[error("the swapchain no longer fits its window")]
    OutOfDate,
    /// A destroyed window gives this error as long as it is held.
    #[error("the window's surface was lost: {what}: {detail}")]
    SurfaceLost { what: String, detail: String },
    #[error("the window gave no image to draw to")]
    NoImageYet,
    #[error("{what}: {result}")]
    Vulkan { what: String, result: vk::Result },
}

pub type Result<T> = std::result::Result<T, Error>;

pub(super) trait Context<T> {
    fn context(self, what: &str) -> Result<T>;
}

impl<T> Context<T> for std::result::Result<T, vk::Result> {
    fn context(self, what: &str) -> Result<T> {
        self.map_err(|result| Error::refused(what, result))
    }
}

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
    pub(super) fn no_driver() -> Self {
        Self::NoDevice(no_driver(|variable| std::env::var(variable).ok()))
    }

    pub(super) fn refused(what: &str, result: vk::Result) -> Self {
        match result {
            vk::Result::ERROR_OUT_OF_DATE_KHR => Self::OutOfDate,
            vk::Result::ERROR_SURFACE_LOST_KHR => Self::surface_lost(what, result),
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

    /// Drivers answer for a destroyed window with any error: Mesa says that host memory is exhausted.
    pub(super) fn of_surface(what: &str, result: vk::Result) -> Self {
        match result {
            vk::Result::ERROR_OUT_OF_DATE_KHR | vk::Result::ERROR_DEVICE_LOST => Self::refused(what, result),
            vk::Result::TIMEOUT | vk::Result::NOT_READY => Self::NoImageYet,
            result => Self::surface_lost(what, result),
        }
    }

    pub(super) fn surface_lost(what: &str, detail: impl std::fmt::Display) -> Self {
        Self::SurfaceLost { what: what.into(), detail: detail.to_string() }
    }
}
