//! The parts of a technique: trait, context, outputs, and what proves and shows it.

mod capabilities;
mod context;
pub mod drawn_by;
mod lab_info;
mod legend;
mod mention;
mod output;
mod replay;
mod replay_drawing;
mod story;
mod technique;

pub use capabilities::{Benches, Breaks, Checks, Compares};
pub use context::{
    BoxBlur, Daylight, FrameContext, ListByMaterial, MirrorlessShading, PixelList, READ_BEYOND, Sums, SumsRequest,
    Surroundings, WorldFrame,
};
pub use drawn_by::DrawnBy;
pub use lab_info::{LabInfo, Measurement, Measures};
pub use legend::Legend;
pub use mention::{FieldPlace, Fields, Mention, field_at, has_row, mention};
pub use output::{A_WORLD, COLOURS, FrameRead, Output, OutputInfo, PIXELS, numbered};
pub use replay::{
    Arrow, Cell, Grid, MemoryComparison, PixelPairs, Replay, ReplayStep, Replays, Role, TilePlace, Variant,
    first_around,
};
pub use replay_drawing::{Drawing, Form, THIN, contour};
pub use story::{
    Agreement, Clause, Crop, Edge, Explains, Fact, Step, StepInfo, StoryLine, StoryPixel, StoryPoint, StoryTexels,
    Texel, all_numbers, all_words, size_of_array, texel_of,
};
pub use technique::{Golden, Info, NamedOutputs, Report, Section, Stage, Technique, ViewInfo};
