//! Visibility value of a pixel: meshlet instance and triangle.

use gpu::gpu_consts;

gpu_consts! { "include/visibility_id.glsl":
    const TRIANGLE_BITS: u32 = 7;
}

/// `(meshlet instance + 1) << 7 | triangle`, 0 for none, as in shaders/include/visibility_id.glsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VisibilityId(pub u32);

impl VisibilityId {
    pub const TRIANGLES_MAX: usize = 1 << TRIANGLE_BITS;
    /// The value of all ones is no pixel's.
    pub const MESHLETS_MAX: usize = (1 << (32 - TRIANGLE_BITS)) - 2;

    pub const fn new(meshlet: u32, triangle: u32) -> Self {
        Self((meshlet + 1) << TRIANGLE_BITS | triangle)
    }

    /// One more than the meshlet instance, 0 for none: a key to sort by.
    pub const fn meshlet_key(self) -> u32 {
        self.0 >> TRIANGLE_BITS
    }

    pub fn meshlet(self) -> Option<usize> {
        (self.meshlet_key() as usize).checked_sub(1)
    }

    pub const fn triangle(self) -> u32 {
        self.0 & ((1 << TRIANGLE_BITS) - 1)
    }

    pub fn text(self) -> String {
        self.meshlet()
            .map_or_else(|| "nothing".into(), |meshlet| format!("meshlet {meshlet}, triangle {}", self.triangle()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_are_unpacked() {
        for (meshlet, triangle) in [(0, 0), (0, 123), (41, 7), (VisibilityId::MESHLETS_MAX as u32 - 1, 127)] {
            let id = VisibilityId::new(meshlet, triangle);
            assert_eq!((id.meshlet(), id.triangle()), (Some(meshlet as usize), triangle));
            assert_eq!(id.meshlet_key(), meshlet + 1);
        }
        assert_eq!(VisibilityId::new(2, 5).0, 3 * 128 + 5);
        assert_eq!(VisibilityId::default().meshlet(), None);
    }
}
