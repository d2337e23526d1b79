//! What can go wrong on the GPU floor.
use ash::vk;

/// Every error of this floor; each says what was expected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No loader, no driver, or no device that the program can use.
    #[error("{0}")]
    NoDevice(String),
    /// The device stopped answering.
    #[error(
        "the GPU was lost, last pass that ended: {ended}, last pass recorded: {pass}; start again, and if it is lost again choose \
         another with --gpu or take a newer driver"
    )]
    DeviceLost {
        /// The last pass that was handed to it.
        pass: String,
        /// The last one that is known to have ended.
        ended: String,
    },
    /// A resource did not fit.
    #[error("{what}: out of memory ({detail}); a smaller window, picture or scene needs less")]
    OutOfMemory {
        /// Name of the resource.
        what: String,
        /// What the allocator said.
        detail: String,
    },
    /// A pass and its shader disagree about names, kinds or sizes.
    #[error("pass {pass}: {problem}")]
    Pass {
        /// Path of the pass.
        pass: String,
        /// What disagrees, and what was expected.
        problem: String,
    },
    /// A shader does not compile, does not reflect, or disagrees with its Rust twin.
    #[error("shader {name}: {problem}")]
    Shader {
        /// File below `shaders/`.
        name: String,
        /// The compiler's or the check's words.
        problem: String,
    },
    /// The window's surface cannot be used now; make a new swapchain.
    #[error("the swapchain no longer fits its window")]
    OutOfDate,
    /// The window's surface is gone; make a new surface.
    #[error("the window's surface was lost")]
    SurfaceLost,
    /// The window gave no image to draw to within the time; it is hidden, or its display is busy.
    #[error("the window gave no image to draw to")]
    NoImageYet,
    /// Any other refusal of the driver.
    #[error("{what}: {result}")]
    Vulkan {
        /// The call.
        what: String,
        /// Its result.
        result: vk::Result,
    },
}

/// Result on this floor.
pub type Result<T> = std::result::Result<T, Error>;

/// Gives a driver's refusal the name of the call.
pub(super) trait Context<T> {
    /// `what` names the call and the object, for a person.
    fn context(self, what: &str) -> Result<T>;
}

impl<T> Context<T> for std::result::Result<T, vk::Result> {
    fn context(self, what: &str) -> Result<T> {
        self.map_err(|result| Error::refused(what, result))
    }
}

impl Error {
    /// The loader knows no driver, or none has a device.
    pub(super) fn no_driver() -> Self {
        let hint =
            "scripts/setup installs Mesa where nothing else is there; for an NVIDIA GPU install NVIDIA's own driver";
        Self::NoDevice(format!("no Vulkan driver; {hint}"))
    }

    /// What a driver's refusal means; `what` names the call and the object, for a person.
    pub(super) fn refused(what: &str, result: vk::Result) -> Self {
        match result {
            vk::Result::ERROR_OUT_OF_DATE_KHR => Self::OutOfDate,
            vk::Result::ERROR_SURFACE_LOST_KHR => Self::SurfaceLost,
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY | vk::Result::ERROR_OUT_OF_HOST_MEMORY => {
                Self::OutOfMemory { what: what.into(), detail: result.to_string() }
            }
            vk::Result::ERROR_DEVICE_LOST => {
                Self::DeviceLost { pass: format!("unknown, in {what}"), ended: "unknown".into() }
            }
            vk::Result::ERROR_INCOMPATIBLE_DRIVER => Self::no_driver(),
            result => Self::Vulkan { what: what.into(), result },
        }
    }
}
