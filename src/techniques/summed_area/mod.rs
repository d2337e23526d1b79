//! Prefix sums and summed-area tables: the sum over any box from four words.

mod bench;
mod blur;
mod checks;
mod comparison;
mod focus;
mod focus_checks;
mod methods;
mod pipelines;
mod reference;
mod scan;
mod scan_checks;
mod scan_picture;
mod scan_picture_checks;
mod scan_reference;
mod table;
mod view_checks;
mod views;

pub use focus::FocusBy;
pub use scan::Scan;
pub use scan_picture::{RowName, row_names};
pub use table::{Method, Precision, Table};

use super::{FrameContext, Measures, Output, OutputInfo, PIXELS, Stage, Sums, SumsRequest, Technique, ViewInfo};
use crate::{
    base::{array::Element, timing::FrameTiming},
    gpu::{Delayed, Frame, Gpu, Image, ImageView, ReadBack, Result},
    lab::{Bench, Card, Check, Comparison, TestBench},
};
use glam::UVec2;
use methods::{TableBuffers, TableResources};
use pipelines::{Scratch, ShaderFeatures};
use std::sync::Arc;
use table::{Layout, Numbers, Source};

crate::choices! {
    /// What of the picture is summed.
    pub enum Input {
        /// 8-bit luma.
        Luminance = "luminance",
        /// Red, green, blue and alpha, each in a table of its own.
        Rgba = "rgba" as "RGBA",
    }
}

crate::settings! {
    /// Tables of sums over the picture: the mean of any box costs four reads, whatever its size.
    pub struct SummedAreaSettings {
        /// How the table is computed. On software drivers the single pass is replaced by two passes.
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

/// The technique of scans and summed-area tables.
pub struct SummedArea {
    shop: Scratch,
    maker: TableResources,
    scans: scan::Scans,
    judge: comparison::MethodComparison,
    /// Results of the box blurs, each from the one before.
    blurred: [Option<Image>; 3],
    /// The table of the last frame.
    last: Option<Table>,
    /// Whether waits of single passes were given up, on their way back.
    watched: Delayed<ReadBack>,
    /// A wait was given up: two passes replace the single one from then on.
    stalled: bool,
    /// Pixels that no panel covers, from the left and from the top.
    free_px: UVec2,
}

impl Technique for SummedArea {
    const ID: &'static str = "summed_area";
    const TITLE: &'static str = "Summed-area table";
    const DOC: &'static str = include_str!("../../../docs/summed_area.md");
    const STAGE: Stage = Stage::Picture;
    const VIEWS: &'static [ViewInfo] = views::VIEWS;
    const OUTPUTS: &'static [OutputInfo] = &[OutputInfo {
        name: "table",
        doc: "The summed-area table of the picture under the glass: at each pixel the sum of all at or left of it and at or above it, of \
              8-bit luma modulo 2^32 or of floats 0..1; with summed_area.input = \"rgba\" that of red.",
        elements: &[Element::U32, Element::F32],
        shape: PIXELS,
        needs: "summed_area.every_frame = true or a view of a table, and not summed_area.precision = \"centred\", which has four",
    }];
    const MEASURES: Option<Measures> = Some(Measures {
        label: "Compare methods",
        doc: "Every method on this picture: time, ratio to the fastest possible copy, error, bytes.",
        chooses: "method",
    });
    type Settings = SummedAreaSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Self::with_ways(gpu, ShaderFeatures::of(gpu))
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        self.view(frame, name, settings, context, picture)?;
        Ok(true)
    }

    fn output(&self, name: &str, _: &FrameContext) -> Option<Output> {
        let table = self.last.as_ref().filter(|_| name == "table")?;
        let layout = &table.layout;
        let element = if layout.precision.is_float() { Element::F32 } else { Element::U32 };
        let size = layout.full.map(|n| n as usize);
        (layout.precision != Precision::Centred).then(|| Output::Rows {
            buffer: table.words.clone(),
            element,
            pitch: layout.pitch as usize,
            size,
        })
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        if let Some(read) = self.watched.take(timing.frame)
            && read.read::<u32>()?.get(1).is_some_and(|aborted| *aborted != 0)
        {
            self.stall();
        }
        self.judge.on_timing(timing)
    }

    fn wants_frame(&self) -> bool {
        self.watched.is_pending() || self.judge.is_pending()
    }

    fn comparison(&mut self) -> Option<&mut Comparison> {
        Some(&mut self.judge.comparison)
    }

    fn card(&self) -> Card {
        self.judge.card()
    }

    fn checks() -> Vec<Check> {
        vec![
            Check::of::<scan_checks::Scans>().depends_on_subgroups(),
            Check::of::<checks::Tables>(),
            Check::of::<checks::Repeats>(),
            Check::of::<checks::Stalls>(),
            Check::of::<view_checks::Views>(),
            Check::of::<view_checks::Steps>(),
            Check::of::<scan_picture_checks::ScanPictures>(),
            Check::of::<view_checks::Boxes>(),
            Check::of::<focus_checks::Focus>(),
        ]
    }

    fn benches() -> Vec<Bench> {
        vec![bench::SCANS, bench::TABLES, bench::BLURS]
    }
}

impl SummedArea {
    /// The picture of a scan keeps to n pixels from the left and from the top: panels cover the rest.
    pub fn keep_within(&mut self, free_px: UVec2) {
        self.free_px = free_px;
    }

    fn with_ways(gpu: &Arc<Gpu>, ways: ShaderFeatures) -> Result<Self> {
        let shop = Scratch::new(gpu, ways);
        let maker = TableResources::new(&shop)?;
        let (scans, last, watched) = (scan::Scans::default(), None, Delayed::default());
        Ok(Self {
            shop,
            maker,
            scans,
            judge: comparison::MethodComparison::default(),
            blurred: [None, None, None],
            last,
            watched,
            stalled: false,
            free_px: UVec2::MAX,
        })
    }

    /// Makes the configured table of the picture; it stays as it is until the next call. On a software driver, and after
    /// a wait of the single pass was given up, two passes replace it.
    ///
    /// # Errors
    /// A table too large for a storage buffer, or an error of the GPU.
    pub fn record(&mut self, frame: &mut Frame, settings: &SummedAreaSettings, picture: &ImageView) -> Result<Table> {
        let table = self.table_of(frame, settings, &self.source_of(settings, picture), TableBuffers::SHOWN)?;
        self.last = Some(table.clone());
        Ok(table)
    }

    /// Tables of sums of all channels; nothing where the device has no storage buffer so large. They stay as they are until the next call.
    pub fn sums(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        SumsRequest { picture, unit }: SumsRequest,
    ) -> Result<Option<Sums>> {
        const ROOMS: TableBuffers = TableBuffers { table: "handed on", means: "no means", passes: "summed_area/sums" };
        let size = picture.size();
        let source = Source::of(Numbers::Channels { view: picture, unit, count: 4 }, size, 1.0 / unit);
        if !self.fits(&source) {
            return Ok(None);
        }
        let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
        let Table { words, layout, .. } = self.table_of(frame, &exact, &source, ROOMS)?;
        Ok(Some(Sums { words, size, pitch: layout.pitch, plane: layout.plane, unit }))
    }

    /// Whether the device shows a shader so much at once.
    fn fits(&self, source: &Source) -> bool {
        Layout::new(source, Precision::U32).bytes() <= u64::from(self.shop.gpu.info().storage_bytes)
    }

    fn source_of(&self, settings: &SummedAreaSettings, picture: &ImageView) -> Source {
        match settings.input {
            Input::Luminance => Source::luma(picture),
            Input::Rgba => Source::channels(picture),
        }
    }

    /// Replacement of a method on this device.
    fn made_by(&self, method: Method) -> Method {
        if self.stalled || !self.shop.gpu.policy().waits_for_workgroups { method.without_waits() } else { method }
    }

    /// The same for any source, into any buffers.
    fn table_of(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        source: &Source,
        rooms: TableBuffers,
    ) -> Result<Table> {
        let method = self.made_by(settings.method);
        let settings = SummedAreaSettings { method, ..settings.clone() };
        let table = self.maker.record(&mut self.shop, frame, &settings, source, rooms)?;
        if method == Method::SinglePass {
            self.watch(frame)?;
        }
        Ok(table)
    }

    /// Asks whether a wait was given up.
    fn watch(&mut self, frame: &mut Frame) -> Result<()> {
        if let Some(control) = self.maker.posts.control() {
            let read = frame.read_buffer(control)?;
            self.watched.put(frame.number(), read);
        }
        Ok(())
    }

    /// A table by the requested method, whatever the driver.
    fn record_as_asked(&mut self, frame: &mut Frame, settings: &SummedAreaSettings, source: &Source) -> Result<Table> {
        self.maker.record(&mut self.shop, frame, settings, source, TableBuffers::SHOWN)
    }

    /// Scans an array.
    fn scan(&mut self, frame: &mut Frame, scan: Scan, array: &scan::Array<'_>) -> Result<()> {
        self.scans.record(&mut self.shop, frame, scan, array)
    }

    /// Logs that a wait was given up, and continues without waits.
    fn stall(&mut self) {
        if !self.stalled {
            log::warn!(
                "summed_area: a workgroup of the single pass waited too long for another; two passes make the table from now on"
            );
        }
        self.stalled = true;
        self.last = None;
        self.maker.posts.forget();
    }

    /// Whether a wait of a run since the last call was given up; its posts are then cleared.
    fn gave_up(&mut self, bench: &mut TestBench) -> anyhow::Result<bool> {
        let mut gave_up = false;
        for posts in [&mut self.maker.posts, &mut self.scans.posts] {
            let Some(control) = posts.control() else { continue };
            if bench.read_buffer::<u32>(control)?[1] != 0 {
                gave_up = true;
                posts.forget();
            }
        }
        Ok(gave_up)
    }
}
