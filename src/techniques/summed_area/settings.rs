//! Settings of scans and tables.

use super::{
    passes::scan::Scan,
    table::{Method, Precision},
};

base::choices! {
    /// What of the picture is summed.
    pub enum Input {
        /// 8-bit luma.
        Luminance = "luminance",
        /// Red, green, blue and alpha, each in a table of its own.
        Rgba = "rgba" as "RGBA",
    }
}

base::choices! {
    /// How depth of field is made.
    pub enum FocusBy {
        /// Each pixel is the mean of a box around it.
        Gather = "gather",
        /// Each pixel's light is spread over its box: what is sharp does not bleed into what is not.
        Spread = "spread",
    }
}

base::settings! {
    /// Tables of sums over the picture: the mean of any box costs four reads, whatever its size.
    pub struct SummedAreaSettings {
        /// How the table is computed.
        method: Method = Method::SinglePass, choice, group "Table";
        /// Number format of the table.
        precision: Precision = Precision::U32, choice, group "Table";
        /// Channels of the picture that are summed.
        input: Input = Input::Luminance, choice, group "Table";
        /// Pad each row of 32 words in shared memory by one, so that a column is in 32 different banks ([32][33] instead of [32][32]).
        padding: bool = true, group "Table", label "Bank padding";
        /// Scan algorithm shown by the view of a scan.
        scan: Scan = Scan::Blelloch, choice, group "Table", label "Scan in view";
        /// Number of words in the view of a scan, rounded up to a power of two.
        view_words: u32 = 16, range(8, 64), label "Words", view "scan";
        /// Number of steps shown by the view of a scan.
        view_step: u32 = 32, range(0, 32), label "Steps", view "scan";
        /// Row of the picture that the view of a scan reads: 0 is the top, 1 the bottom.
        view_row: f32 = 0.5, range(0.0, 1.0), label "Picture row", view "scan";
        /// Number of shared-memory banks in the view of a scan; GPUs have 32.
        view_banks: u32 = 8, range(2, 32), label "Banks", view "scan";
        /// Radius of the boxes in the views: the pixels on each side of the centre.
        radius: u32 = 8, range(0, 127), unit "px", group "Views";
        /// Adaptive threshold: pixels darker than this percentage of the local mean turn black.
        percent: u32 = 85, range(1, 100), label "Threshold", view "threshold";
        /// Guided filter: standard deviation (of values 0 to 1) above which an edge is kept.
        edge: f32 = 0.1, range(0.001, 1.0), log, label "Edge threshold", view "guided";
        /// How depth of field is computed.
        focus_by: FocusBy = FocusBy::Gather, choice, group "Depth of field", label "Blur by";
        /// Radius of the strongest depth-of-field blur.
        focus_blur: f32 = 24.0, range(0.0, 126.0), unit "px", group "Depth of field", label "Max. blur";
        /// Focus distance in a 3D scene.
        focus_distance: f32 = 8.0, range(0.1, 1000.0), unit "m", log, group "Depth of field", label "Distance", when "scene.source=world";
        /// Row of a flat picture that is in focus: 0 is the top, 1 the bottom.
        focus_row: f32 = 0.5, range(0.0, 1.0), group "Depth of field", label "Sharp row", when "scene.source=picture";
        /// Recompute the table every frame, even if no view shows it, for steady timings.
        every_frame: bool = false, label "Rerun every frame";
    } internal {
        /// The single pass processes tiles row by row, not by anti-diagonals.
        by_rows: bool = false;
    }
}
