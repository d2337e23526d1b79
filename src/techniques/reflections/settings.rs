//! Settings of the reflections.

base::choices! {
    /// How threads find the rays that are still on their way; the picture is the same.
    pub enum Work {
        /// Chosen on the GPU before each bounce; on software drivers, queues by material.
        Auto = "auto",
        /// One thread per pixel; words of the mask without a live pixel are skipped.
        Words = "words" as "All words",
        /// Only words of the mask with a live pixel, listed by the previous bounce.
        LiveWords = "live_words",
        /// Only live pixels, compacted by the previous bounce.
        Lanes = "lanes" as "Live pixels",
        /// As many workgroups as the GPU can hold, each taking the next word from a counter.
        Persistent = "persistent" as "Persistent groups",
        /// Each workgroup loops over eight words, as on devices without atomics.
        FixedLoop = "fixed_loop",
        /// All bounces of a pixel in one thread.
        Path = "path",
        /// All rays of a bounce are traced, their hits sorted by material with the pixel sort, and shaded by its list.
        Sorted = "sorted" as "Sorted hits",
        /// Rays are queued by the material that they hit, and each material has its own kernel: made for software drivers.
        Queues = "queues" as "Queues by material",
    }
}

base::choices! {
    /// How many rays mirrors have while the picture moves.
    pub enum Rate {
        /// One for each pixel where the GPU has the time for it before the display's next refresh, else shared ones.
        Auto = "auto",
        /// Mirrors that reflect little have one ray for 4 or 16 pixels, others in each frame, which the antialiasing accumulates; most pixels of
        /// the others use the hits of the rays around.
        Shared = "shared",
        /// Each pixel has one.
        Full = "full" as "Every pixel",
    }
}

base::choices! {
    /// How the mask represents one pixel; the picture is the same.
    pub enum Storage {
        /// One bit: 32 pixels per word.
        Bits = "bits" as "Bits",
        /// One byte.
        Bytes = "bytes",
        /// A 32-bit integer.
        U32 = "u32" as "32-bit integers",
    }
}

base::choices! {
    /// Which pixels share a word of the mask; the picture is the same.
    pub enum Mapping {
        /// 32 in a row.
        Linear = "linear" as "Rows of 32",
        /// A block of 8x4.
        Blocks = "blocks" as "Blocks of 8x4",
    }
}

base::choices! {
    /// What finds the triangle that a ray hits; the picture is the same but for edges and coincident triangles.
    pub enum Traversal {
        /// The shader, through its own hierarchy.
        Shader = "shader" as "In the shader",
        /// The GPU's ray-tracing hardware (VK_KHR_ray_query), where it has any.
        Hardware = "hardware" as "Ray queries",
    }
}

base::choices! {
    /// Whether mirrors show the scene, or the sky only.
    pub enum Trace {
        /// The scene; headless runs on software drivers show the sky only, unless `work` is chosen, or a view or table of the reflections is requested.
        Auto = "auto",
        /// The scene.
        On = "on",
        /// The sky.
        Off = "off",
    }
}

base::settings! {
    /// Traces what mirrors of the 3D world show, bounce by bounce, skipping pixels without a mirror by a bit mask.
    pub struct ReflectionsSettings {
        /// Whether mirrors show the scene, or the sky only.
        trace: Trace = Trace::Auto, choice, label "Ray tracing", when "scene.source=world";
        /// Maximum number of mirror bounces; 0: mirrors show the sky only.
        depth: u32 = 3, range(0, 8), label "Max. bounces", when "scene.source=world trace=!off";
        /// Resolution of the reflections, as a fraction of the world's width and height.
        scale: f32 = 1.0, range(0.0625, 1.0), label "Resolution", when "scene.source=world trace=!off";
        /// Rays of mirrors while the picture moves; at rest every pixel of a mirror has one.
        rate: Rate = Rate::Auto, choice, label "Rays in motion", when "scene.source=world trace=!off";
        /// What finds the triangle that a ray hits; ray queries need a GPU with VK_KHR_ray_query.
        traversal: Traversal = Traversal::Shader, choice, label "Ray traversal", when "scene.source=world trace=!off";
        /// How threads find the live rays; the picture is the same.
        work: Work = Work::Auto, choice, group "Stencil", label "Work distribution", when "scene.source=world trace=!off";
        /// Storage of one pixel in the mask; the picture is the same.
        storage: Storage = Storage::Bits, choice, group "Stencil", label "Mask storage", when "scene.source=world trace=!off";
        /// Which pixels share a word of the mask; the picture is the same.
        mapping: Mapping = Mapping::Blocks, choice, group "Stencil", label "Mask layout", when "scene.source=world trace=!off";
        /// Bounce shown by the views of mask and words, from 0.
        view_bounce: u32 = 0, range(0, 7), label "Bounce", view "words|mask", when "scene.source=world";
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoRays {
    pub is_shared: bool,
    pub why: RaysReason,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RaysReason {
    NoDisplay,
    Unmeasured,
    Time { full_us: f64, interval_us: f64 },
}

impl AutoRays {
    /// Equal runs give equal pictures.
    pub const NO_DISPLAY: Self = Self { is_shared: false, why: RaysReason::NoDisplay };
}

impl std::fmt::Display for RaysReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoDisplay => write!(f, "no display awaits a frame"),
            Self::Unmeasured => write!(f, "no moving frame has been timed yet"),
            Self::Time { full_us, interval_us } => {
                let [full, interval] = [full_us, interval_us].map(|us| us / 1e3);
                write!(f, "with a ray for each pixel a frame takes {full:.1} of {interval:.1} ms")
            }
        }
    }
}

impl Work {
    pub fn by_mask() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|work| !work.has_own_kernels())
    }

    pub fn has_own_kernels(self) -> bool {
        matches!(self, Self::Sorted | Self::Queues)
    }
}

impl ReflectionsSettings {
    /// `by_default`: in a window, or not [`DevicePolicy::is_slow`](gpu::DevicePolicy::is_slow); `is_shown`: by a
    /// view or a measurement. A chosen `work` requests tracing.
    pub fn traces(&self, by_default: bool, is_shown: bool) -> bool {
        match self.trace {
            Trace::Auto => by_default || is_shown || self.work != Work::Auto,
            Trace::On => true,
            Trace::Off => false,
        }
    }

    pub fn in_queues(&self, by_default: bool) -> bool {
        self.work == Work::Queues || self.work == Work::Auto && by_default
    }

    pub fn may_share_rays(&self) -> bool {
        self.rate != Rate::Full && matches!(self.work, Work::Auto | Work::Path)
    }

    pub fn shares_rays(&self, auto: AutoRays) -> bool {
        self.may_share_rays() && (self.rate == Rate::Shared || auto.is_shared)
    }

    pub fn in_shares(&self, by_default: bool, is_measured: bool) -> bool {
        self.in_queues(by_default) && !is_measured
    }
}
