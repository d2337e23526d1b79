//! Swapchain of the window: surface, images, acquire and present.
use super::{
    Gpu,
    access::{Access, State},
    bind::{Resource, ResourceUse},
    error::{Context, Error, Result},
    format::Format,
    frame::Frame,
    frames::Frames,
    image::{CopySupport, Image, ImageDesc, Use},
    present_fences::PresentFences,
};
use ash::vk;
use std::sync::Arc;

pub(super) const ACQUIRED_AT: vk::PipelineStageFlags2 = vk::PipelineStageFlags2::from_raw(
    vk::PipelineStageFlags2::COLOR_ATTACHMENT_OUTPUT.as_raw() | vk::PipelineStageFlags2::ALL_TRANSFER.as_raw(),
);

base::choices! {
    /// When a finished image is shown.
    pub enum PresentMode {
        /// At the display's next refresh, in order; never tears.
        Vsync = "vsync",
        /// The newest frame at the next refresh; never tears, never waits.
        Mailbox = "mailbox",
        /// Immediately; may tear.
        Immediate = "immediate",
    }
}

base::choices! {
    /// What panels are made of.
    pub enum PanelStyle {
        /// Glass, but flat on software drivers; bright over a bright picture.
        Auto = "auto",
        /// Frosted glass, as dark as its text needs; bright over a bright picture.
        Glass = "glass",
        /// A dark sheet.
        Flat = "flat",
    }
}

impl PanelStyle {
    pub fn adapts(self) -> bool {
        self != Self::Flat
    }

    pub fn is_glass(self, by_default: bool) -> bool {
        self == Self::Glass || self == Self::Auto && by_default
    }
}

base::settings! {
    /// How frames are presented in the window.
    pub struct DisplaySettings {
        /// When a finished frame is shown; vsync if the display does not support the choice.
        present: PresentMode = PresentMode::Vsync, choice, label "Presentation";
        /// Frames queued on the GPU: more keep it busy, fewer reduce the delay between pointer and picture.
        frames_in_flight: u32 = 2, range(1, 3);
        /// What the panels are made of. Glass shows more of the picture; software drivers need milliseconds for it.
        panels: PanelStyle = PanelStyle::Auto, choice;
        /// Size of the panels' text, and of the panels with it: 1 is that of the display. Ctrl and + or - change it, too.
        text_scale: f32 = 1.0, range(0.75, 2.5), label "Text size";
        /// Opaque black panels with white outlines and nearly white text.
        high_contrast: bool = false;
        /// High contrast, larger text and reduced motion also where the desktop asks for them.
        follow_desktop: bool = true, label "As the desktop";
    }
}

#[derive(Default)]
struct Chain {
    raw: vk::SwapchainKHR,
    images: Vec<(Image, vk::Semaphore)>,
    fences: PresentFences,
}

pub struct Swapchain {
    gpu: Arc<Gpu>,
    surface: vk::SurfaceKHR,
    chain: Chain,
    held: Option<u32>,
    retired: Vec<(u64, Chain)>,
    size: [u32; 2],
    format: Format,
    mode: PresentMode,
    stale: bool,
    lost: bool,
    can_be_read: bool,
}

/// Nanoseconds. A hidden window may get no image for as long as it is hidden.
const LONGEST_NS: u64 = 500_000_000;

pub struct Target {
    pub image: Image,
    index: u32,
}

impl Swapchain {
    /// A size that the window system fixes takes precedence over `size`.
    pub fn new(gpu: &Arc<Gpu>, frames: &Frames, size: [u32; 2], mode: PresentMode) -> Result<Self> {
        let surface = Self::make_surface(gpu)?;
        let mut swapchain = Self {
            gpu: gpu.clone(),
            surface,
            chain: Chain::default(),
            held: None,
            retired: Vec::new(),
            size: [0; 2],
            format: Format::Bgra8,
            mode,
            stale: true,
            lost: false,
            can_be_read: false,
        };
        swapchain.rebuild(frames, size, mode)?;
        Ok(swapchain)
    }

    fn make_surface(gpu: &Gpu) -> Result<vk::SurfaceKHR> {
        let none = |e: &dyn std::fmt::Display| Error::NoDevice(format!("no window to draw to: {e}"));
        let window = gpu.window.as_ref().ok_or_else(|| none(&"the device was made without one"))?;
        let display = window.display_handle().map_err(|e| none(&e))?;
        let handle = window.window_handle().map_err(|e| none(&e))?;
        let (entry, instance) = (&gpu.instance.entry, &gpu.instance.raw);
        // SAFETY: the handles are alive: `Gpu` holds the window.
        let surface = unsafe { ash_window::create_surface(entry, instance, display.as_raw(), handle.as_raw(), None) }
            .map_err(|result| Error::of_surface("surface", result))?;
        let family = gpu.probe.families[0];
        // SAFETY: surface and device are alive.
        let shows = unsafe { gpu.instance.surface.get_physical_device_surface_support(gpu.physical, family, surface) };
        if !shows.unwrap_or(false) {
            // SAFETY: nothing uses it.
            unsafe { gpu.instance.surface.destroy_surface(surface, None) };
            return Err(none(&format!("{} cannot present to it; choose another with --gpu", gpu.info().name)));
        }
        Ok(surface)
    }

    /// [`collect`](Self::collect) destroys the images that frames on the GPU draw to.
    pub fn rebuild(&mut self, frames: &Frames, size: [u32; 2], mode: PresentMode) -> Result<()> {
        self.show()?;
        // Some drivers report a lost surface at acquire or present only.
        if !self.lost {
            let done = self.try_rebuild(frames, size, mode);
            if !matches!(done, Err(Error::SurfaceLost { .. })) {
                return done;
            }
        }
        log::info!("the window's surface was lost; making another");
        self.release()?;
        self.surface = Self::make_surface(&self.gpu).map_err(|error| match error {
            Error::NoDevice(why) => Error::surface_lost("surface", why),
            error => error,
        })?;
        let done = self.try_rebuild(frames, size, mode);
        self.lost = matches!(done, Err(Error::SurfaceLost { .. }));
        done
    }

    /// A window has images of one device at a time.
    pub fn release(&mut self) -> Result<()> {
        self.gpu.wait_idle()?;
        self.destroy_all();
        // SAFETY: the device is idle and the swapchains are destroyed.
        unsafe { self.gpu.instance.surface.destroy_surface(self.surface, None) };
        self.surface = vk::SurfaceKHR::null();
        (self.size, self.lost) = ([0; 2], true);
        Ok(())
    }

    pub fn collect(&mut self, frames: &Frames) {
        let (gpu, has_fences) = (&self.gpu, self.gpu.probe.present_fences.is_some());
        let is_done = |(number, chain): &mut (u64, Chain)| match has_fences {
            true => chain.fences.have_passed(gpu) && frames.has_ended_since(number.saturating_sub(1)),
            false => frames.has_ended_since(*number),
        };
        self.retired.extract_if(.., is_done).for_each(|(_, chain)| destroy(gpu, chain));
    }

    fn try_rebuild(&mut self, frames: &Frames, wanted: [u32; 2], mode: PresentMode) -> Result<()> {
        let (surface, physical) = (&self.gpu.instance.surface, self.gpu.physical);
        let refused = |what: &'static str| move |result| Error::of_surface(what, result);
        // SAFETY (this function): handles are alive; structs live until each call returns.
        let (caps, formats, modes) = unsafe {
            (
                surface
                    .get_physical_device_surface_capabilities(physical, self.surface)
                    .map_err(refused("surface size"))?,
                surface
                    .get_physical_device_surface_formats(physical, self.surface)
                    .map_err(refused("surface formats"))?,
                surface
                    .get_physical_device_surface_present_modes(physical, self.surface)
                    .map_err(refused("present modes"))?,
            )
        };
        let fixed = [caps.current_extent.width, caps.current_extent.height];
        let mut size = if fixed[0] == u32::MAX { wanted } else { fixed };
        if caps.max_image_extent.width == 0 || size.contains(&0) {
            // Without the old images a surface takes no others.
            self.size = [0; 2];
            self.stale = false;
            return Ok(());
        }
        size[0] = size[0].clamp(caps.min_image_extent.width, caps.max_image_extent.width);
        size[1] = size[1].clamp(caps.min_image_extent.height, caps.max_image_extent.height);
        // An sRGB format would encode a second time.
        let order = [Format::Bgra8, Format::Rgba8, Format::Bgra8Srgb, Format::Rgba8Srgb];
        let srgb = vk::ColorSpaceKHR::SRGB_NONLINEAR;
        let offered = |f: &Format| formats.iter().any(|o| o.format == f.raw() && o.color_space == srgb);
        let format = order.into_iter().find(offered).ok_or_else(|| {
            let names: Vec<_> = formats.iter().map(|offered| format!("{:?}", offered.format)).collect();
            Error::NoDevice(format!("the window offers no 8-bit format in sRGB, only {}", names.join(", ")))
        })?;
        let raw_mode = [mode, PresentMode::Vsync].into_iter().map(raw_mode).find(|m| modes.contains(m));
        let most = if caps.max_image_count == 0 { u32::MAX } else { caps.max_image_count };
        let alpha = [
            vk::CompositeAlphaFlagsKHR::OPAQUE,
            vk::CompositeAlphaFlagsKHR::INHERIT,
            vk::CompositeAlphaFlagsKHR::PRE_MULTIPLIED,
        ];
        let alpha = alpha.into_iter().find(|a| caps.supported_composite_alpha.contains(*a));
        let copies = vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
        let info = vk::SwapchainCreateInfoKHR::default()
            .surface(self.surface)
            .min_image_count((caps.min_image_count + 1).clamp(2, most))
            .image_format(format.raw())
            .image_color_space(srgb)
            .image_extent(vk::Extent2D { width: size[0], height: size[1] })
            .image_array_layers(1)
            .image_usage(vk::ImageUsageFlags::COLOR_ATTACHMENT | caps.supported_usage_flags & copies)
            .pre_transform(caps.current_transform)
            .composite_alpha(alpha.unwrap_or(vk::CompositeAlphaFlagsKHR::OPAQUE))
            .present_mode(raw_mode.unwrap_or(vk::PresentModeKHR::FIFO))
            .clipped(true)
            .old_swapchain(self.chain.raw);
        let made = unsafe { self.gpu.swapchain.create_swapchain(&info, None) };
        // Retired even if creating the new one failed.
        let old = std::mem::take(&mut self.chain);
        if old.raw != vk::SwapchainKHR::null() {
            self.retired.push((frames.number(), old));
        }
        self.size = [0; 2];
        let raw = made.map_err(refused("vkCreateSwapchainKHR"))?;
        self.chain.raw = raw;
        self.can_be_read = caps.supported_usage_flags.contains(vk::ImageUsageFlags::TRANSFER_SRC);
        let to = caps.supported_usage_flags.contains(vk::ImageUsageFlags::TRANSFER_DST);
        let copies = CopySupport { from: self.can_be_read, to };
        let images = unsafe { self.gpu.swapchain.get_swapchain_images(raw) }.map_err(refused("swapchain images"))?;
        for (index, image) in images.into_iter().enumerate() {
            let presented = unsafe { self.gpu.device.create_semaphore(&Default::default(), None) };
            let presented = presented.context("vkCreateSemaphore")?;
            self.gpu.name(presented, &format!("window image {index} drawn"));
            let desc = ImageDesc::new(&format!("window image {index}"), size, format, &[Use::Color]);
            self.chain.images.push((Image::borrowed(&self.gpu, desc, image, copies), presented));
        }
        (self.size, self.format, self.mode, self.stale) = (size, format, mode, false);
        log::debug!("swapchain {size:?} {format:?} {:?}, {} images", self.mode, self.chain.images.len());
        Ok(())
    }

    pub fn can_be_read(&self) -> bool {
        self.can_be_read
    }

    pub fn takes_copies(&self) -> bool {
        self.chain.images.first().is_some_and(|(image, _)| image.takes_copies())
    }

    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    pub fn mode(&self) -> PresentMode {
        self.mode
    }

    pub fn format(&self) -> Format {
        self.format
    }

    pub fn is_stale(&self) -> bool {
        self.stale
    }

    pub fn is_empty(&self) -> bool {
        self.chain.images.is_empty() || self.size.contains(&0)
    }

    /// [`Error::OutOfDate`] and [`Error::SurfaceLost`] require [`rebuild`](Self::rebuild), [`Error::NoImageYet`] a
    /// retry.
    pub fn acquire(&mut self, frame: &mut Frame) -> Result<Target> {
        let semaphore = frame.in_flight()?.acquire;
        // SAFETY: the semaphore's last wait has completed with the slot's last frame.
        let found =
            unsafe { self.gpu.swapchain.acquire_next_image(self.chain.raw, LONGEST_NS, semaphore, vk::Fence::null()) };
        let found = found.map_err(|result| self.gpu.lost(Error::of_surface("vkAcquireNextImageKHR", result)));
        let (index, suboptimal) = found.inspect_err(|e| self.note_error(e))?;
        self.stale |= suboptimal;
        let (image, drawn) = &self.chain.images[index as usize];
        if let Ok(mut states) = image.0.states.lock() {
            states.fill(State::acquired(ACQUIRED_AT)); // its contents are undefined
        }
        frame.acquired = Some(semaphore);
        frame.presents = Some(*drawn);
        Ok(Target { image: image.clone(), index })
    }

    pub fn abandon(&mut self, frames: &mut Frames, mut frame: Frame) -> Result<()> {
        frame.presents = None;
        frames.submit(frame)
    }

    /// On a software driver it holds the image until [`show`](Self::show) or the next frame is recorded.
    pub fn present(&mut self, frames: &mut Frames, mut frame: Frame, target: &Target) -> Result<()> {
        let touch = ResourceUse { resource: Resource::from(&target.image), how: Access::Present };
        frame.pass("present", &[touch], |_, _, _| Ok(()))?;
        self.show()?;
        frames.submit(frame)?;
        self.held = Some(target.index);
        if self.gpu.policy().runs_on_cpu && frames.limit() > 1 {
            return Ok(());
        }
        self.show()
    }

    pub fn holds(&self) -> bool {
        self.held.is_some()
    }

    pub fn show(&mut self) -> Result<()> {
        let Some(index) = self.held.take() else { return Ok(()) };
        let (swapchains, indices) = ([self.chain.raw], [index]);
        let waits = [self.chain.images[index as usize].1];
        let fence = self.chain.fences.next(&self.gpu)?;
        let fences = [fence.unwrap_or_default()];
        let mut fenced = vk::SwapchainPresentFenceInfoEXT::default().fences(&fences);
        let mut info =
            vk::PresentInfoKHR::default().wait_semaphores(&waits).swapchains(&swapchains).image_indices(&indices);
        if fence.is_some() {
            info = info.push_next(&mut fenced);
        }
        // SAFETY: the frame that drew the image is submitted, and signals the semaphore.
        let shown = unsafe { self.gpu.swapchain.queue_present(self.gpu.queues[0], &info) };
        match shown.map_err(|result| Error::of_surface("vkQueuePresentKHR", result)) {
            Ok(suboptimal) => self.stale |= suboptimal,
            Err(e @ (Error::OutOfDate | Error::SurfaceLost { .. })) => self.note_error(&e),
            Err(e) => return Err(self.gpu.lost(e)),
        }
        Ok(())
    }

    fn note_error(&mut self, error: &Error) {
        let (stale, lost) = asks_for(error);
        self.stale |= stale;
        self.lost |= lost;
    }

    fn destroy_all(&mut self) {
        self.held = None;
        let chains = self.retired.drain(..).map(|(_, chain)| chain);
        for chain in chains.chain([std::mem::take(&mut self.chain)]) {
            destroy(&self.gpu, chain);
        }
    }
}

fn destroy(gpu: &Gpu, chain: Chain) {
    chain.fences.destroy(gpu);
    for (image, semaphore) in chain.images {
        drop(image);
        // SAFETY: what waits for it has completed.
        unsafe { gpu.device.destroy_semaphore(semaphore, None) };
    }
    if chain.raw != vk::SwapchainKHR::null() {
        // SAFETY: its images are destroyed.
        unsafe { gpu.swapchain.destroy_swapchain(chain.raw, None) };
    }
}

fn asks_for(error: &Error) -> (bool, bool) {
    let lost = matches!(error, Error::SurfaceLost { .. });
    (lost || matches!(error, Error::OutOfDate), lost)
}

fn raw_mode(mode: PresentMode) -> vk::PresentModeKHR {
    match mode {
        PresentMode::Vsync => vk::PresentModeKHR::FIFO,
        PresentMode::Mailbox => vk::PresentModeKHR::MAILBOX,
        PresentMode::Immediate => vk::PresentModeKHR::IMMEDIATE,
    }
}

impl Drop for Swapchain {
    fn drop(&mut self) {
        self.gpu.wait_to_drop();
        self.destroy_all();
        // SAFETY: the device is idle and the swapchains are destroyed.
        unsafe { self.gpu.instance.surface.destroy_surface(self.surface, None) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn driver_errors_decide_what_is_recreated() {
        let of = |result| Error::of_surface("vkAcquireNextImageKHR", result);
        let said = |result| asks_for(&of(result));
        assert_eq!(said(vk::Result::ERROR_OUT_OF_DATE_KHR), (true, false));
        for gone in [
            vk::Result::ERROR_SURFACE_LOST_KHR,
            vk::Result::ERROR_OUT_OF_HOST_MEMORY,
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
            vk::Result::ERROR_INITIALIZATION_FAILED,
            vk::Result::ERROR_NATIVE_WINDOW_IN_USE_KHR,
            vk::Result::ERROR_UNKNOWN,
        ] {
            assert_eq!(said(gone), (true, true), "{gone}");
        }
        for nothing in [vk::Result::TIMEOUT, vk::Result::NOT_READY, vk::Result::ERROR_DEVICE_LOST] {
            assert_eq!(said(nothing), (false, false), "{nothing}");
        }
        assert!(matches!(of(vk::Result::TIMEOUT), Error::NoImageYet));
        assert!(matches!(of(vk::Result::ERROR_DEVICE_LOST), Error::DeviceLost { .. }));
    }
}
