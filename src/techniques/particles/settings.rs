//! Settings of the particles.

crate::choices! {
    /// What floats or flies in the air of the 3D world.
    pub enum Kind {
        /// Quiet on GPUs; nothing on software drivers, so that dragging keeps its speed.
        Auto = "auto",
        /// Dust and some spray: the air of the place.
        Quiet = "quiet",
        /// Dust in the sun and in the shadow of the arcade.
        Motes = "motes" as "Dust",
        /// The fountain.
        Spray = "spray",
        /// Fireflies: best with a low sun.
        Fireflies = "fireflies",
        /// Bodies that attract each other, all pairs.
        Nbody = "nbody" as "N-body",
        /// Nothing.
        None = "none",
    }
}

crate::choices! {
    /// How particles become pixels.
    pub enum Draw {
        /// A point each: the buffer that compute wrote is the vertex buffer.
        Points = "points",
        /// Two triangles each.
        Quads = "quads",
        /// Added up by compute as whole numbers, without the raster hardware.
        Splat = "splat" as "Splats",
    }
}

crate::choices! {
    /// How the two queues share the particles' buffers.
    pub enum Sharing {
        /// Both may read at once; nothing is handed over.
        Concurrent = "concurrent",
        /// One queue owns a buffer at a time: a copy of the state is handed over, and back.
        Exclusive = "exclusive" as "Handed over",
    }
}

crate::settings! {
    /// Dust, spray, fireflies or bodies in the 3D world, moved by compute shaders beside the drawing of the frame.
    pub struct ParticlesSettings {
        /// What floats or flies in the air.
        kind: Kind = Kind::Auto, choice, when "scene.source=world";
        /// How many; 0: as many as suit the kind. Bodies: at most 65536, on software drivers 4096.
        count: u32 = 0, range(0, 4194304), log, when "scene.source=world";
        /// How they become pixels.
        draw: Draw = Draw::Quads, choice, label "Drawn as", when "scene.source=world";
        /// How bright they are.
        brightness: f32 = 1.0, range(0.0, 4.0), when "scene.source=world";
        /// How fast their time goes.
        speed: f32 = 1.0, range(0.0, 4.0), when "scene.source=world";
        /// Stand still.
        pause: bool = false, button "Pause";
        /// Begin anew, with each change.
        restart: bool = false, button "Restart";
        /// Move them on the compute queue, beside the drawing of the state before.
        async_compute: bool = true, group "Queues", when "scene.source=world";
        /// How the two queues share their buffers.
        sharing: Sharing = Sharing::Concurrent, choice, group "Queues", when "scene.source=world";
        /// Alternate 60 frames with the compute queue and 60 without, and compare.
        measure: bool = false, button "Measure overlap";
    }
}

/// Bodies at most, on a GPU and on a software driver: each step takes the square of their number.
pub const BODIES_MOST: [u32; 2] = [65_536, 4096];

impl ParticlesSettings {
    /// What there is to see where `software` (or a GPU) draws; `is_shown`: a view or an output of the particles is looked at.
    #[must_use]
    pub fn kind(&self, software: bool, is_shown: bool) -> Kind {
        match self.kind {
            Kind::Auto if software && !is_shown => Kind::None,
            Kind::Auto => Kind::Quiet,
            kind => kind,
        }
    }

    /// How many there are of `kind`.
    #[must_use]
    pub fn count(&self, kind: Kind, software: bool) -> u32 {
        let most = if kind == Kind::Nbody { BODIES_MOST[usize::from(software)] } else { u32::MAX };
        let suits = match kind {
            Kind::Fireflies => 700,
            Kind::Spray => 24_576,
            Kind::Nbody => 16_384,
            Kind::Auto | Kind::Quiet | Kind::Motes | Kind::None => 65_536,
        };
        (if self.count == 0 { suits } else { self.count }).min(most)
    }
}
