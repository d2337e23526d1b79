//! Settings of the visibility buffer.

use super::passes::culling::{TEST_CONE, TEST_FRUSTUM, TEST_OCCLUSION};

base::choices! {
    /// How meshlets become triangles.
    pub enum By {
        /// Whichever is faster: a GPU tries the rasterizer and compute for a few frames each; software drivers get vertex shaders.
        Auto = "auto",
        /// Task shaders cull, mesh shaders emit triangles; vertex shaders where the GPU has no mesh shaders.
        Mesh = "mesh" as "Mesh shaders",
        /// Compute shaders cull and list triangles, vertex shaders draw them.
        Vertex = "vertex" as "Vertex shaders",
        /// Compute shaders cull and rasterize: small triangles one per thread, large ones tile by tile.
        Compute = "compute" as "Compute shaders",
    }
}

base::settings! {
    /// Draws the visible meshlets into a visibility buffer: one 32-bit ID per pixel.
    pub struct MeshletsSettings {
        /// How meshlets are turned into triangles; the picture is the same.
        by: By = By::Auto, choice, label "Geometry path", when "scene.source=world";
        /// Cull meshlets outside the view frustum.
        frustum: bool = true, group "Culling", label "Frustum culling", when "scene.source=world";
        /// Cull meshlets whose triangles all face away (normal cone test).
        cone: bool = true, group "Culling", label "Backface cones", when "scene.source=world";
        /// Cull meshlets hidden behind others, using the depth of what was visible in the previous frame.
        occlusion: bool = true, group "Culling", label "Occlusion culling", when "scene.source=world";
        /// Cull triangles that cover no pixel before they are drawn (vertex path only).
        triangles: bool = true, group "Culling", label "Triangle culling", when "scene.source=world";
        /// Freeze culling, so that you can move the camera and see what was culled.
        freeze: bool = false, group "Culling", label "Freeze culling", when "scene.source=world";
        /// Resolution of the sun's shadow map.
        shadow_side: u32 = 2048, range(512, 4096), unit "px", log, label "Shadow map", when "scene.source=world";
    }
}

impl MeshletsSettings {
    pub(super) fn tests(&self) -> u32 {
        let bit = |on: bool, bit: u32| if on { bit } else { 0 };
        bit(self.frustum, TEST_FRUSTUM) | bit(self.cone, TEST_CONE) | bit(self.occlusion, TEST_OCCLUSION)
    }
}
