//! Settings of the reflections.

crate::choices! {
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

crate::choices! {
    /// How many rays mirrors have while the picture moves.
    pub enum Rate {
        /// Mirrors that reflect little have one ray for 4 or 16 pixels, others in each frame, which the antialiasing accumulates.
        Auto = "auto" as "By weight",
        /// Each pixel has one.
        Full = "full" as "Every pixel",
    }
}

crate::choices! {
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

crate::choices! {
    /// Which pixels share a word of the mask; the picture is the same.
    pub enum Mapping {
        /// 32 in a row.
        Linear = "linear" as "Rows of 32",
        /// A block of 8x4.
        Blocks = "blocks" as "Blocks of 8x4",
    }
}

crate::choices! {
    /// What finds the triangle that a ray hits; the picture is the same but for edges and coincident triangles.
    pub enum Traversal {
        /// The shader, through its own hierarchy.
        Shader = "shader" as "In the shader",
        /// The GPU's ray-tracing hardware (VK_KHR_ray_query), where it has any.
        Hardware = "hardware" as "Ray queries",
    }
}

crate::choices! {
    /// Whether mirrors show the scene, or the sky only.
    pub enum Trace {
        /// The scene; headless runs on software drivers show the sky only, unless a view or table of the reflections is asked for.
        Auto = "auto",
        /// The scene.
        On = "on",
        /// The sky.
        Off = "off",
    }
}

crate::settings! {
    /// Traces what mirrors of the 3D world show, bounce by bounce, skipping pixels without a mirror by a bit mask.
    pub struct ReflectionsSettings {
        /// Whether mirrors show the scene, or the sky only.
        trace: Trace = Trace::Auto, choice, label "Ray tracing", when "scene.source=world";
        /// Maximum number of mirror bounces; 0: mirrors show the sky only.
        depth: u32 = 3, range(0, 8), label "Max. bounces", when "scene.source=world";
        /// Resolution of the reflections, as a fraction of the world's width and height.
        scale: f32 = 1.0, range(0.0625, 1.0), label "Resolution", when "scene.source=world";
        /// Rays of mirrors while the picture moves; at rest every pixel of a mirror has one.
        rate: Rate = Rate::Auto, choice, label "Rays in motion", when "scene.source=world";
        /// What finds the triangle that a ray hits; ray queries need a GPU with VK_KHR_ray_query.
        traversal: Traversal = Traversal::Shader, choice, label "Ray traversal", when "scene.source=world";
        /// How threads find the live rays; the picture is the same.
        work: Work = Work::Auto, choice, group "Stencil", label "Work distribution", when "scene.source=world";
        /// Storage of one pixel in the mask; the picture is the same.
        storage: Storage = Storage::Bits, choice, group "Stencil", label "Mask storage", when "scene.source=world";
        /// Which pixels share a word of the mask; the picture is the same.
        mapping: Mapping = Mapping::Blocks, choice, group "Stencil", label "Mask layout", when "scene.source=world";
        /// Bounce shown by the views of mask and words, from 0.
        view_bounce: u32 = 0, range(0, 7), label "Bounce", view "words|mask", when "scene.source=world";
    }
}

impl Work {
    /// Those that find it in the mask, all by one kernel: the same bits.
    pub fn by_mask() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|work| !work.has_own_kernels())
    }

    /// Those that trace and shade by kernels of their own, which may round otherwise.
    #[must_use]
    pub fn has_own_kernels(self) -> bool {
        matches!(self, Self::Sorted | Self::Queues)
    }
}

impl ReflectionsSettings {
    /// Whether mirrors show the scene outside of a window; `by_default`:
    /// [`DevicePolicy::headless_mirrors`](crate::gpu::DevicePolicy::headless_mirrors); `is_shown`: a view of the reflections is, or they are measured.
    #[must_use]
    pub fn traces(&self, by_default: bool, is_shown: bool) -> bool {
        match self.trace {
            Trace::Auto => by_default || is_shown,
            Trace::On => true,
            Trace::Off => false,
        }
    }

    /// Whether rays wait in queues for their materials; `by_default`: [`DevicePolicy::ray_queues`](crate::gpu::DevicePolicy::ray_queues).
    #[must_use]
    pub fn in_queues(&self, by_default: bool) -> bool {
        self.work == Work::Queues || self.work == Work::Auto && by_default
    }

    /// Whether a moving picture has fewer rays: the other ways of finding the work trace every pixel, so that they can be compared.
    #[must_use]
    pub fn thins(&self) -> bool {
        self.rate == Rate::Auto && matches!(self.work, Work::Auto | Work::Path)
    }

    /// Whether mirrors are traced over several frames, in a window; `is_measured`: each frame is to trace all of them.
    #[must_use]
    pub fn in_shares(&self, by_default: bool, is_measured: bool) -> bool {
        self.in_queues(by_default) && !is_measured
    }
}
