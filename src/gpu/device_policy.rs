//! Choices for GPUs and for software drivers (Mesa's), by reason. See docs/software-drivers.md.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DevicePolicy {
    /// Threads of the CPU run workgroups and draws: idle lanes cost full time, a draw writes faster than a dispatch,
    /// the sampler filters bytes in bytes, `vkQueuePresentKHR` waits for the frame, and timestamps miss dispatches.
    pub runs_on_cpu: bool,
    /// Costly parts are off by default or spread over frames, and checks repeat less.
    pub is_slow: bool,
    /// A shader is compiled when it first runs, and again for other kinds of image sizes.
    pub compiles_late: bool,
    /// Images that compute shaders write can be drawn to: Mesa's compiler crashes at a draw with 16 lanes.
    pub can_draw: bool,
    /// Mesa before 24 runs both sides of every branch, and in long shaders with barriers code for inactive invocations,
    /// or crashes (observed on 22.3.6, not on 25.0.7).
    pub has_old_compiler: bool,
    pub bodies_most: u32,
    /// Scale per side of the mirrors' resolution until their cost is measured.
    pub mirror_scale: f32,
    /// Up to here a world's hierarchy has one level: 80 MiB. Measured on GPUs alone.
    pub flat_triangles: u64,
    /// Turns that a workgroup waits for another before it computes the result itself: the other's thread may be
    /// suspended.
    pub wait_turns: u32,
    /// Seconds until a frame counts as hung. Compiling its shaders can take more than a minute on slow cores.
    pub frame_limit: u64,
}

impl DevicePolicy {
    /// `kind` and `driver` as in [`DeviceInfo`](super::DeviceInfo).
    pub fn new(kind: &str, driver: &str, subgroup_size: u32) -> Self {
        let is_software = kind == "software";
        let mesa = driver.strip_prefix("Mesa ").and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
        Self {
            runs_on_cpu: is_software,
            is_slow: is_software,
            compiles_late: is_software,
            can_draw: !is_software || subgroup_size < 16,
            has_old_compiler: is_software && mesa.is_some_and(|major| major < 24),
            bodies_most: if is_software { 4096 } else { 65_536 },
            mirror_scale: if is_software { 0.25 } else { 1.0 },
            flat_triangles: if is_software { 0 } else { 1 << 20 },
            wait_turns: if is_software { 1 << 6 } else { 1 << 10 },
            frame_limit: if is_software { 900 } else { 60 },
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
            [policy.runs_on_cpu, policy.can_draw, policy.has_old_compiler]
        };
        assert_eq!(faults("software", "Mesa 25.0.7-2 (LLVM 19.1.7)", 8), [true, true, false]);
        assert_eq!(faults("software", "Mesa 22.3.6 (LLVM 15.0.6)", 16), [true, false, true]);
        assert_eq!(faults("software", "SwiftShader", 4), [true, true, false]);
        assert_eq!(faults("integrated", "Mesa 22.3.6", 16), [false, true, false]);
    }
}
