//! Settings of the sort, and the sort key that they select.

use gpu::Buffer;

base::choices! {
    /// Source of the IDs.
    pub enum IdSource {
        /// The visibility buffer of the 3D world; cells if a flat picture is shown.
        Scene = "scene" as "3D scene",
        /// A synthetic image of Voronoi cells.
        Cells = "cells" as "Synthetic cells",
    }
}

base::choices! {
    /// What the pixels of a 3D world are sorted by.
    pub enum Key {
        /// The meshlet that the pixel shows.
        Meshlet = "meshlet",
        /// The material of that meshlet.
        Material = "material",
    }
}

base::settings! {
    /// Sorts the pixels of each 64x64 tile by ID, so that neighbouring threads of later shaders run the same code.
    pub struct PixelSortSettings {
        /// Source of the IDs.
        input: IdSource = IdSource::Scene, choice, group "Input", label "IDs from";
        /// What the pixels of a 3D world are sorted by.
        key: Key = Key::Material, choice, group "Input", label "Sort by", when "input=scene scene.source=world";
        /// Mean area of a synthetic cell.
        cell_area: u32 = 100, range(4, 20000), unit "px", log, view "ids|sorted|containers|coherence|coherence_raster", when "input=cells or scene.source=picture";
        /// Fraction of cells without an ID; their pixels are not listed.
        empty: f32 = 0.0, range(0.0, 1.0), label "Empty cells", view "ids|sorted|containers|coherence|coherence_raster", when "input=cells or scene.source=picture";
        /// If another ID already occupies a bucket, try further ones.
        resolve: bool = true, group "Sort", label "Resolve collisions";
        /// List buckets of whole warps first, then large ones before small ones, by classes of eight pixels up to 240.
        sort: bool = true, group "Sort", label "Full warps first", when "packed=false";
        /// Place buckets so that the remainder of none straddles two warps, in place of "Full warps first".
        packed: bool = false, group "Sort", label "Avoid straddling";
        /// Produce the same list on every run, at the cost of a second pass.
        deterministic: bool = false, group "Sort", label "Same list every run";
        /// Store 16 bits per entry and one tile index per 32 entries, instead of 32 bits per entry.
        short_list: bool = false, group "Sort", label "16-bit entries";
    } internal {
        /// Buckets to try before two IDs share one.
        tries: u32 = 3;
        /// Buckets (hash slots) per tile: 127 as in the source article; with 256 and 8 tries almost no two IDs share one.
        containers: u32 = 127;
        /// Pixels of a tile are numbered row by row, not along a Z-order (Morton) curve.
        by_rows: bool = false;
        /// A thread takes eight consecutive pixels, with one atomic per run of equal IDs, but IDs that share a bucket mix more. Otherwise, and
        /// if `deterministic`, it takes every 512th pixel, as in the source article.
        in_runs: bool = false;
    }
}

/// Pixels with key 0 are not listed. Synthetic cells have [`Keys::Whole`], a visibility buffer
/// [`PixelSortSettings::key`].
#[derive(Clone, Copy)]
pub enum Keys<'a> {
    Whole,
    Meshlet,
    /// Material of each placed meshlet.
    Material(&'a Buffer),
}

impl Keys<'_> {
    pub(super) fn constant(self) -> u32 {
        match self {
            Self::Whole => 0,
            Self::Meshlet => 1,
            Self::Material(_) => 2,
        }
    }
}

impl PixelSortSettings {
    pub fn keys<'a>(&self, material_of: &'a Buffer) -> Keys<'a> {
        match self.key {
            Key::Meshlet => Keys::Meshlet,
            Key::Material => Keys::Material(material_of),
        }
    }
}
