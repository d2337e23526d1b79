//! Choices that depend on the kind of device, by name: for a GPU, and for a software driver (Mesa's). See docs/software-drivers.md.

/// What a device does and gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DevicePolicy {
    /// Passes that exist as a draw and as a dispatch are drawn.
    pub draws_not_dispatches: bool,
    /// Images that compute shaders write can be drawn to as well: Mesa's compiler crashes at a draw with 16 lanes.
    pub can_draw: bool,
    /// A slowly moving world is drawn over several frames, and reprojected in between.
    pub incremental_world: bool,
    /// The history of a moving picture has a quarter of the pixels.
    pub quarter_history: bool,
    /// Panels are of glass by default.
    pub glass_panels: bool,
    /// The camera drifts by default.
    pub drifts: bool,
    /// There are particles by default.
    pub particles: bool,
    /// Bodies at most: each step takes the square of their number.
    pub bodies_most: u32,
    /// By default mirrors show the scene in headless runs.
    pub headless_mirrors: bool,
    /// Scale per side of the mirrors' resolution until their cost is measured.
    pub mirror_scale: f32,
    /// Rays wait in queues for their materials, and are traced over several frames.
    pub ray_queues: bool,
    /// Live rays are moved together early: an idle lane costs as much as a busy one.
    pub compacts_rays: bool,
    /// One loop traverses both levels of the hierarchy.
    pub one_loop_traversal: bool,
    /// Triangles of all instances up to which a world's hierarchy has one level: 80 MiB. The court and the pool have 411 thousand. On software
    /// drivers none: one level was measured on GPUs alone.
    pub flat_triangles: u64,
    /// Worlds are read as texel buffers.
    pub texel_buffers: bool,
    /// Each kind of material is shaded by its own dispatch: Mesa before 24 runs both sides of every branch. Observed on 22.3.6; 25.0.7 skips
    /// the side that no lane takes, and one shader for all kinds is as quick and compiled in a third of the time.
    pub split_shading: bool,
    /// A shader is compiled when it first runs: the first picture has only the passes that it needs, and shading has one shader by day and by night.
    pub compiles_late: bool,
    /// An image keeps its size when it is not read: another kind of size compiles every shader that writes it again.
    pub keeps_image_sizes: bool,
    /// Mesh shaders are used if there are any.
    pub mesh_shaders: bool,
    /// A thread runs a workgroup, its invocations in one order.
    pub groups_are_threads: bool,
    /// The visibility buffer may be written by compute, if that is measured to be quicker.
    pub compute_raster: bool,
    /// Each mip level is made by its own pass.
    pub mips_by_level: bool,
    /// Turns for which a workgroup waits for another before it computes by itself what it waits for. On a software driver the other one may
    /// be that of a thread that the system has stopped.
    pub wait_turns: u32,
    /// Seconds after which a frame that has not completed is an error. A software driver compiles shaders when they first run: on a busy
    /// machine with slow cores, those of a whole frame have taken more than a minute.
    pub frame_limit: u64,
    /// The sampler filters bytes in bytes, and floats at exact places. It gains nothing over reads of single texels.
    pub cpu_sampler: bool,
    /// Long shaders with barriers are right. Mesa before 24 runs code for inactive invocations, or not for active ones, and crashes in
    /// its own code. Observed on 22.3.6; 25.0.7 is correct.
    pub compiles_long_shaders: bool,
    /// A frame is presented when the next one is recorded, or when it has ended: Mesa's software drivers wait for its end in
    /// `vkQueuePresentKHR`.
    pub presents_late: bool,
    /// Clocks rise with load: a device is kept busy before it is measured.
    pub raises_clocks: bool,
    /// Recorded work is completed between passes: Mesa's timestamps would otherwise miss dispatches.
    pub completes_passes: bool,
    /// Checks and benches have fewer repetitions, and leave out what takes minutes.
    pub is_slow: bool,
}

impl DevicePolicy {
    /// `kind` and `driver` as in [`DeviceInfo`](super::DeviceInfo).
    #[must_use]
    pub fn new(kind: &str, driver: &str, subgroup_size: u32) -> Self {
        let is_software = kind == "software";
        let mesa = driver.strip_prefix("Mesa ").and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
        let is_old = is_software && mesa.is_some_and(|major| major < 24);
        Self {
            draws_not_dispatches: is_software,
            can_draw: !is_software || subgroup_size < 16,
            incremental_world: is_software,
            quarter_history: is_software,
            glass_panels: !is_software,
            drifts: !is_software,
            particles: !is_software,
            bodies_most: if is_software { 4096 } else { 65_536 },
            headless_mirrors: !is_software,
            mirror_scale: if is_software { 0.25 } else { 1.0 },
            ray_queues: is_software,
            compacts_rays: is_software,
            one_loop_traversal: is_software,
            flat_triangles: if is_software { 0 } else { 1 << 20 },
            texel_buffers: is_software,
            split_shading: is_old,
            compiles_late: is_software,
            keeps_image_sizes: is_software,
            mesh_shaders: !is_software,
            groups_are_threads: is_software,
            compute_raster: !is_software,
            mips_by_level: is_software,
            wait_turns: if is_software { 1 << 6 } else { 1 << 10 },
            frame_limit: if is_software { 900 } else { 60 },
            cpu_sampler: is_software,
            compiles_long_shaders: !is_old,
            presents_late: is_software,
            raises_clocks: !is_software,
            completes_passes: is_software,
            is_slow: is_software,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_belong_to_versions_and_widths_of_the_software_driver() {
        let faults = |kind, driver, lanes| {
            let policy = DevicePolicy::new(kind, driver, lanes);
            [policy.draws_not_dispatches, policy.can_draw, policy.compiles_long_shaders, !policy.split_shading]
        };
        assert_eq!(faults("software", "Mesa 25.0.7-2 (LLVM 19.1.7)", 8), [true, true, true, true]);
        assert_eq!(faults("software", "Mesa 22.3.6 (LLVM 15.0.6)", 16), [true, false, false, false]);
        assert_eq!(faults("software", "SwiftShader", 4), [true, true, true, true]);
        assert_eq!(faults("integrated", "Mesa 22.3.6", 16), [false, true, true, true]);
    }
}
