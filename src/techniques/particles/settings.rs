//! Settings of the particles.

use gpu::DevicePolicy;

base::choices! {
    /// Kind of particles in the 3D scene.
    pub enum Kind {
        /// Quiet on GPUs; none on software drivers, so that dragging a lens stays smooth.
        Auto = "auto",
        /// Some dust, and the spray of the fountain.
        Quiet = "quiet",
        /// Dust, in the sun and in the shade of the arcade.
        Motes = "motes" as "Dust",
        /// Water spray of the fountain.
        Spray = "spray",
        /// Glowing fireflies: best with a low sun.
        Fireflies = "fireflies",
        /// Bodies that attract each other by gravity, every pair computed.
        Nbody = "nbody" as "N-body",
        /// No particles.
        None = "none",
    }
}

base::choices! {
    /// How particles are drawn.
    pub enum Draw {
        /// As discs on GPUs, as quads on software drivers.
        Auto = "auto",
        /// One point per particle; the buffer that the compute shader wrote is the vertex buffer.
        Points = "points",
        /// Two triangles per particle.
        Quads = "quads",
        /// The same discs by a compute shader with integer atomics, without the rasterizer.
        Discs = "discs" as "Discs by compute",
        /// Their light in the four nearest pixels, by the same atomics.
        Splat = "splat" as "Splats",
    }
}

base::settings! {
    /// Dust, spray, fireflies or bodies in the 3D scene, simulated by compute shaders while the frame is drawn.
    pub struct ParticlesSettings {
        /// Kind of particles in the scene.
        kind: Kind = Kind::Auto, choice, when "scene.source=world";
        /// Number of particles; 0: a number that suits the kind. N-body: at most 65536, on software drivers 4096.
        count: u32 = 0, range(0, 4194304), log, when "scene.source=world kind=!none";
        /// How particles are drawn.
        draw: Draw = Draw::Auto, choice, label "Drawn as", when "scene.source=world kind=!none";
        /// Brightness of the particles.
        brightness: f32 = 1.0, range(0.0, 4.0), when "scene.source=world kind=!none";
        /// Speed of the simulation; 1 is real time, 0 pauses it.
        speed: f32 = 1.0, range(0.0, 4.0), when "scene.source=world kind=!none";
        /// Simulate the next state on the compute queue, while the graphics queue draws the previous one.
        async_compute: bool = true, group "Queues", when "scene.source=world kind=!none";
    } internal {
        /// One queue owns a buffer at a time: the ownership of a copy of the state is transferred, and back. Otherwise both may use it.
        exclusive: bool = false;
    }
}

impl ParticlesSettings {
    pub fn kind(&self, policy: &DevicePolicy, is_shown: bool) -> Kind {
        match self.kind {
            Kind::Auto if policy.is_slow && !is_shown => Kind::None,
            Kind::Auto => Kind::Quiet,
            kind => kind,
        }
    }

    pub fn draw(&self, policy: &DevicePolicy) -> Draw {
        match self.draw {
            Draw::Auto if policy.runs_on_cpu => Draw::Quads,
            Draw::Auto => Draw::Discs,
            draw => draw,
        }
    }

    pub fn count(&self, kind: Kind, policy: &DevicePolicy) -> u32 {
        let most = if kind == Kind::Nbody { policy.bodies_most } else { u32::MAX };
        let suits = match kind {
            Kind::Fireflies => 700,
            Kind::Spray => 24_576,
            Kind::Nbody => 16_384,
            Kind::Auto | Kind::Quiet | Kind::Motes | Kind::None => 65_536,
        };
        (if self.count == 0 { suits } else { self.count }).min(most)
    }
}
