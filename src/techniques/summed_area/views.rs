//! Views of tables and scans, and of the uses of tables.

use super::{
    Input, Method, Precision, SummedArea, SummedAreaSettings,
    methods::TableBuffers,
    table::{Layout, Numbers, Source, Table},
};
use crate::{
    gpu::{Error, Frame, ImageView, Result, Sampler},
    gpu_struct,
    techniques::{FrameContext, Legend, ViewInfo},
};
use glam::UVec2;

gpu_struct! {
    /// Push constants of `summed_area/view.comp`.
    struct ViewPush {
        full: UVec2,
        pitch: u32,
        plane: u32,
        true_plane: u32,
        channels: u32,
        radius: u32,
        percent: u32,
        scale: f32,
    }
}

gpu_struct! {
    /// Push constants of `summed_area/guide.comp`.
    struct GuidePush {
        full: UVec2,
        pitch: u32,
        plane: u32,
        radius: u32,
        lines_pitch: u32,
        lines_plane: u32,
        epsilon: f32,
    }
}

/// Colours of heat, as `view.comp` has them.
pub(super) const HEAT: Legend = Legend::Ramp {
    stops: &[[0, 0, 0], [74, 20, 120], [200, 40, 60], [250, 150, 40], [255, 250, 160]],
    low: "exact, or 1/10000 step of 255",
    high: "10 steps, each colour 18 times the one before",
};

/// The views, in the order of the panel.
pub(super) const VIEWS: &[ViewInfo] = &[
    ViewInfo::new(
        "scan",
        "Scan, step by step",
        "Words of one row of the picture (summed_area.view_row) and, below, what each step of the scan leaves; lines lead from what is \
         added to where. summed_area.view_step goes through the steps.",
        Legend::Swatches(&[
            ([70, 78, 92], "kept"),
            ([64, 150, 230], "new in this step"),
            ([90, 200, 130], "done"),
            ([250, 200, 90], "what is added to where"),
            ([235, 80, 70], "lanes that meet in one bank: a part of the bar each"),
        ]),
    ),
    ViewInfo::new(
        "mean",
        "Box mean",
        "Mean of the box of summed_area.radius around each pixel, from four words of the table.",
        Legend::None,
    ),
    ViewInfo::new(
        "error",
        "Precision",
        "Difference of the box mean from the exact one, for summed_area.precision and .radius. Whole numbers are exact and the view is black; \
         \"f32\" is what shows something.",
        HEAT,
    ),
    ViewInfo::new(
        "deviation",
        "Local deviation",
        "Twice the standard deviation of luma in the box around each pixel, from a table of values and one of squares.",
        Legend::Swatches(&[([255, 0, 153], "negative variance: the table has lost too much")]),
    ),
    ViewInfo::new(
        "threshold",
        "Adaptive threshold",
        "Black where luma is below summed_area.percent of the mean of the box around it (Bradley and Roth).",
        Legend::Swatches(&[([0, 0, 0], "darker than its surroundings"), ([255, 255, 255], "not")]),
    ),
    ViewInfo::new(
        "guided",
        "Guided filter",
        "Edge-preserving smoothing (He et al.): a linear fit in each box, from mean and variance; then the mean of the fits.",
        Legend::None,
    ),
    ViewInfo::new(
        "focus",
        "Depth of field",
        "Each pixel blurred by its distance from the plane in focus; of a flat picture by its height, as a tilted lens does. Shown with \
         @lens it is what the glass looks through.",
        Legend::None,
    ),
];

/// The table of the second step of views that need two.
const SECOND: TableBuffers = TableBuffers { table: "second table", means: "second means", ..TableBuffers::SHOWN };
/// Exact sums, for comparison.
const TRUTH: TableBuffers = TableBuffers { table: "truth", means: "no means", ..TableBuffers::SHOWN };

impl SummedArea {
    /// The picture of a view, encoded, over the whole of `picture`, which is as large as its subject.
    pub(super) fn view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &SummedAreaSettings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<()> {
        match name {
            "scan" => self.view_scan(frame, settings, &context.picture, picture),
            "mean" | "error" | "deviation" | "threshold" => self.view_boxes(frame, name, settings, context, picture),
            "guided" => self.view_guided(frame, settings, &context.picture, picture),
            "focus" => self.view_focus(frame, settings, context, picture),
            _ => Err(Error::Pass { pass: "summed_area/view".into(), problem: format!("no view {name}") }),
        }
    }

    fn view_boxes(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &SummedAreaSettings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<()> {
        let (below, exact) = (&context.picture, SummedAreaSettings { precision: Precision::U32, ..settings.clone() });
        let (variant, table) = match name {
            "mean" => ("mean", self.record(frame, settings, below)?),
            "error" => {
                let luma = SummedAreaSettings { input: Input::Luminance, ..settings.clone() };
                ("error", self.record(frame, &luma, below)?)
            }
            "deviation" => {
                let source = Source { numbers: Numbers::LumaAndSquare(below.clone()), ..Source::luma(below) };
                ("variance", self.table_of(frame, settings, &source, SECOND)?)
            }
            _ => ("threshold", self.table_of(frame, &exact, &Source::luma(below), SECOND)?),
        };
        let truth = match variant {
            "error" => Some(self.table_of(frame, &exact, &Source::luma(below), TRUTH)?),
            _ => None,
        };
        let layout = &table.layout;
        let mut constants = layout.lookup();
        // Only whole numbers are requested there.
        constants.retain(|(name, _)| variant != "threshold" || *name != "LESS");
        let pipeline = self.shop.pipeline::<ViewPush>(format!("view.comp:{variant}"), constants, None)?;
        let push = ViewPush {
            full: UVec2::from_array(layout.full),
            pitch: layout.pitch,
            plane: layout.plane,
            true_plane: truth.as_ref().map_or(0, |truth| truth.layout.plane),
            channels: layout.channels,
            radius: if variant == "threshold" { (layout.full[0] / 16).max(1) } else { settings.radius },
            percent: settings.percent,
            scale: layout.scale,
        };
        let words = truth.as_ref().map_or(&table.words, |truth| &truth.words);
        let pass = frame.compute("summed_area/view", &pipeline).bind_named([
            ("below", below.clone().through(Sampler::NearestClamp).into()),
            ("Table", (&table.words).into()),
            ("Truth", words.into()),
            ("Means", (&table.means).into()),
            ("picture", picture.into()),
        ]);
        pass.push(&push).dispatch(layout.full)
    }

    fn view_guided(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        below: &ImageView,
        picture: &ImageView,
    ) -> Result<()> {
        let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
        let source = Source { numbers: Numbers::LumaAndSquare(below.clone()), ..Source::luma(below) };
        let first = self.table_of(frame, &exact, &source, SECOND)?;
        let size = first.layout.full;
        let lines = Planes::new(size, 2);
        let words = self.shop.room("lines", lines.bytes())?;
        let numbers =
            Numbers::Words { words: words.clone(), pitch: lines.pitch, plane: lines.plane, channels: lines.planes };
        let source = Source::of(numbers, size, 1.0 / 65535.0);
        let push = |layout: &Layout| GuidePush {
            full: UVec2::from_array(size),
            pitch: layout.pitch,
            plane: layout.plane,
            radius: settings.radius.max(1),
            lines_pitch: lines.pitch,
            lines_plane: lines.plane,
            epsilon: settings.edge * settings.edge,
        };
        let bound = |table: &Table| {
            [("below", below.clone().through(Sampler::NearestClamp).into()), ("Table", (&table.words).into())]
        };
        let make = self.shop.pipeline::<GuidePush>("guide.comp:lines", first.layout.lookup(), None)?;
        let pass = frame.compute("summed_area/lines", &make).bind_named(bound(&first)).bind("Lines", &words);
        pass.bind_named([("Means", (&first.means).into())]).push(&push(&first.layout)).dispatch(size)?;
        let second = self.table_of(frame, &exact, &source, TRUTH)?;
        let apply = self.shop.pipeline::<GuidePush>("guide.comp:filtered", second.layout.lookup(), None)?;
        let pass = frame.compute("summed_area/view", &apply).bind_named(bound(&second)).bind("picture", picture);
        pass.bind_named([("Means", (&second.means).into())]).push(&push(&second.layout)).dispatch(size)
    }
}

/// Numbers in planes, for a table of them.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    pub pitch: u32,
    pub plane: u32,
    pub planes: u32,
}

impl Planes {
    pub fn new(size: [u32; 2], planes: u32) -> Self {
        let pitch = size[0].next_multiple_of(32);
        Self { pitch, plane: pitch * size[1], planes }
    }

    pub fn bytes(self) -> u64 {
        u64::from(self.plane) * u64::from(self.planes) * 4
    }
}

impl Method {
    /// Its replacement where no workgroup may wait for another.
    pub(super) fn without_waits(self) -> Self {
        if self == Self::SinglePass { Self::TwoPass } else { self }
    }
}
