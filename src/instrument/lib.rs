//! Instrument: any resource of any pass as a picture or a table, with its figures; the pass itself with its limits and its source.

mod capture;
mod device_limits;
mod explanations;
mod figures;
mod frame_axis;
mod limits;
mod pass_details;
mod picture;
mod pins;
#[cfg(test)]
mod pins_tests;
mod program_figures;
mod refresh;
mod request;
mod table;
mod texels;

pub use capture::FrameCapture;
pub use explanations::{StepsRequest, Story, StoryRequest};
pub use figures::Figures;
pub use frame_axis::{Arrow, AxisBar, AxisLane, FrameAxis, Gap, Lane, Reason};
pub use gpu::{
    CapturePoint, ConstantOrigin, Format as TexelFormat, Invocations, PassResource, PassResources, ResourceShape,
    ShaderConstant, ShaderText, records::Records,
};
pub use limits::{PassLimits, Reach};
#[cfg(any(test, feature = "fixtures"))]
pub use pass_details::sample_details;
pub use pass_details::{DriverFigures, PassDetails, PipelineDetails};
pub use picture::{PictureLook, PictureView};
pub use pins::{Pin, PinPicture, PinResult, Pins, SavedResource, SeenTexels};
pub use program_figures::ProgramFigures;
pub use request::{CheckRequest, CheckRun, ClockState, FrameRequest, FrameResults, ProbeState, Recorded, WorldTime};
pub use table::BufferTable;
pub use texels::{TexelKind, Texels, short_number, texel_kind};

#[cfg(any(test, feature = "fixtures"))]
pub fn sample_passes() -> Vec<PassResources> {
    use gpu::{
        Format,
        records::{RecordField, Scalar},
    };
    let image = |binding: &str, is_written: bool, format, mips| PassResource {
        binding: binding.into(),
        name: format!("{binding} image"),
        is_read: !is_written,
        is_written,
        shape: ResourceShape::Image { size: [64, 32], mips, format, can_be_copied: true },
    };
    let field = |name: &str, offset| RecordField { name: name.into(), offset, scalar: Scalar::Unsigned(4) };
    let records = Records { stride: 8, fields: vec![field("first", 0), field("count", 4)], ..Records::default() };
    let buffer = PassResource {
        binding: "Regions".into(),
        name: "regions".into(),
        is_read: false,
        is_written: true,
        shape: ResourceShape::Buffer { bytes: 80, records: std::sync::Arc::new(records) },
    };
    let pass = |pass: &str, resources| {
        let (bytes, counted, pipelines) = ([3_000_000, 1_000_000], None, Vec::new());
        PassResources { pass: pass.into(), on_compute_queue: false, resources, bytes, counted, pipelines }
    };
    vec![
        pass("mip/down", vec![image("above", false, Format::Rgba16F, 0..7), image("below", true, Format::R32F, 1..3)]),
        pass("mip/up", vec![image("ids", true, Format::R32U, 0..1)]),
        pass("mip/list", vec![buffer]),
    ]
}

#[cfg(any(test, feature = "fixtures"))]
pub fn sample_result() -> PinResult {
    let figures = Figures { range: Some([-1.5, 99.0]), numbers: 2047, nans: 1, infinities: 0, buckets: vec![0, 3, 9] };
    PinResult { image: Some(([64, 32], gpu::Format::R32F)), figures: Some(figures), ..PinResult::default() }
}
