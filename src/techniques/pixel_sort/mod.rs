//! Per-tile pixel sort: the pixels of each 64x64 tile listed so that neighbours in the list have the same ID.

mod bench;
mod checks;
mod list;
mod measure;
mod payoff;
pub mod reference;
mod source;
mod variant;
mod view_checks;
mod views;

pub use list::{ARGUMENTS_AT, CONSUMER_GROUP, COUNTS, PADDING, SortedList, TILE};
pub use measure::{Figures, Histogram};

use self::{
    list::{ListBuffers, Shape},
    measure::Measure,
    variant::{Constants, Lanes, constants},
};
use super::{FrameContext, Measures, Output, OutputInfo, Stage, Technique, ViewInfo};
use crate::base::timing::PassId;
use crate::{
    base::timing::FrameTiming,
    gpu::{
        Buffer, ComputePipeline, Format, Frame, Gpu, ImageDesc, ImageSlot, ImageView, Memory, PipelineCache, Result,
        Sampler, Use,
    },
    gpu_struct,
    lab::{Bench, Card, Check, Comparison},
};
use glam::{UVec2, Vec2};
use std::sync::Arc;

/// Pass that counts the entries of each tile, for a deterministic result.
pub const LENGTHS: PassId = PassId::new("pixel_sort/lengths");
/// Pass that sorts.
pub const SORT: PassId = PassId::new("pixel_sort/sort");

crate::choices! {
    /// Source of the IDs.
    pub enum IdSource {
        /// The visibility buffer of the 3D world; cells if a flat picture is shown.
        Scene = "scene" as "3D scene",
        /// A synthetic image of Voronoi cells.
        Cells = "cells" as "Synthetic cells",
    }
}

crate::choices! {
    /// What the pixels of a 3D world are sorted by.
    pub enum Key {
        /// The meshlet that the pixel shows.
        Meshlet = "meshlet",
        /// The material of that meshlet.
        Material = "material",
    }
}

crate::settings! {
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
        /// List buckets that fill whole warps first, then the rest by size.
        sort: bool = true, group "Sort", label "Full warps first", when "packed=false";
        /// Place buckets so that the remainder of none straddles two warps; replaces `sort`.
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

gpu_struct! {
    /// Push constants of `pixel_sort/cells.comp`.
    struct CellsPush { side: f32, empty: f32 }
}

gpu_struct! {
    /// Push constants of `pixel_sort/sort.comp`.
    struct SortPush { size: UVec2, texel: Vec2, consumer: u32 }
}

gpu_struct! {
    /// Push constants of `pixel_sort/view.comp`.
    struct ViewPush { size: UVec2, view: u32, is_short: u32 }
}

/// Sort key of an ID. Pixels with equal keys are together in the list; those with key 0 are not listed.
///
/// The score gives synthetic cells as [`Keys::Whole`], and a visibility buffer by [`PixelSortSettings::key`].
#[derive(Clone, Copy)]
pub enum Keys<'a> {
    /// All its bits.
    Whole,
    /// IDs are visibility values: the meshlet.
    Meshlet,
    /// The material of the ID's meshlet, a `u32` for each meshlet that the world has placed.
    Material(&'a Buffer),
}

impl Keys<'_> {
    fn constant(self) -> u32 {
        match self {
            Self::Whole => 0,
            Self::Meshlet => 1,
            Self::Material(_) => 2,
        }
    }
}

impl PixelSortSettings {
    /// Sort key of a visibility buffer; `material_of` is as in [`Keys::Material`].
    #[must_use]
    pub fn keys<'a>(&self, material_of: &'a Buffer) -> Keys<'a> {
        match self.key {
            Key::Meshlet => Keys::Meshlet,
            Key::Material => Keys::Material(material_of),
        }
    }
}

/// The pixel sort technique.
pub struct PixelSort {
    gpu: Arc<Gpu>,
    lanes: Lanes,
    cells: ComputePipeline,
    /// By what is kept of an ID.
    pictures: PipelineCache<u32>,
    sorts: PipelineCache<Constants>,
    /// Bound where a shader names a buffer that it does not look into.
    nothing: Buffer,
    held: Option<ListBuffers>,
    /// The list that was made last, and whether of a world. Its buffers hold no earlier one.
    last: Option<(SortedList, bool)>,
    measure: Measure,
    payoff: payoff::Payoff,
    ids: (ImageSlot, Option<([u32; 2], u32, u32)>),
}

impl Technique for PixelSort {
    const ID: &'static str = "pixel_sort";
    const TITLE: &'static str = "Pixel sort";
    const DOC: &'static str = include_str!("../../../docs/pixel_sort.md");
    const STAGE: Stage = Stage::World;
    const VIEWS: &'static [ViewInfo] = &views::VIEWS;
    const OUTPUTS: &'static [OutputInfo] = &list::OUTPUTS;
    const MEASURES: Option<Measures> = Some(Measures {
        label: "Does sorting pay?",
        doc: "Shades by the sorted list and without it in turns: what sorting costs and saves.",
        chooses: "",
    });
    type Settings = PixelSortSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Self::with_lanes(gpu, Lanes::best(gpu))
    }

    fn views_world(settings: &PixelSortSettings, is_shown: bool) -> bool {
        is_shown && settings.input == IdSource::Scene
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        match context.world.as_ref().filter(|_| settings.input == IdSource::Scene) {
            Some(world) => {
                let keys = settings.keys(&world.resident.material_of);
                self.view(frame, name, settings, (&world.ids, keys), picture)?;
            }
            None => {
                let ids = self.input(frame, settings, picture.size())?;
                self.view(frame, name, settings, (&ids, Keys::Whole), picture)?;
            }
        }
        Ok(true)
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let (list, of_world) = self.last.as_ref()?;
        // A world that was shaded without a list: the one that is left is of an earlier frame.
        let is_left_over = *of_world && context.world.as_ref().is_none_or(|world| world.list.is_none());
        if is_left_over { None } else { list.output(name) }
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.measure.on_timing(timing)
    }

    fn wants_frame(&self) -> bool {
        self.measure.is_pending() || self.payoff.comparison.is_active()
    }

    fn comparison(&mut self) -> Option<&mut Comparison> {
        Some(&mut self.payoff.comparison)
    }

    fn card(&self) -> Card {
        self.payoff.card(self.measure.figures())
    }

    fn checks() -> Vec<Check> {
        vec![
            Check::of::<checks::Properties>().depends_on_subgroups(),
            Check::of::<checks::Coherence>().depends_on_subgroups(),
            Check::of::<checks::Distinct>(),
            Check::of::<view_checks::Views>().depends_on_subgroups(),
        ]
    }

    fn benches() -> Vec<Bench> {
        vec![bench::SORT]
    }
}

impl PixelSort {
    fn with_lanes(gpu: &Arc<Gpu>, lanes: Lanes) -> Result<Self> {
        let cells = ComputePipeline::new(gpu, "pixel_sort/cells.comp", &[])?.with_push::<CellsPush>()?;
        let nothing = Buffer::new(gpu, "pixel_sort nothing", 4, Memory::Device)?;
        let (pictures, sorts) = Default::default();
        Ok(Self {
            gpu: gpu.clone(),
            lanes,
            cells,
            pictures,
            sorts,
            nothing,
            held: None,
            last: None,
            measure: Measure::new(gpu),
            payoff: payoff::Payoff::default(),
            ids: Default::default(),
        })
    }

    fn material_of(&self, keys: Keys<'_>) -> Buffer {
        if let Keys::Material(table) = keys { table.clone() } else { self.nothing.clone() }
    }

    /// The IDs that the settings select, one a pixel of `size`; drawn again only when something changed.
    pub fn input(&mut self, frame: &mut Frame, settings: &PixelSortSettings, size: [u32; 2]) -> Result<ImageView> {
        let wanted = Some((size, settings.cell_area, settings.empty.to_bits()));
        let desc = ImageDesc::new("cell IDs", size, Format::R32U, &[Use::Sample, Use::Storage]);
        let (slot, drawn) = &mut self.ids;
        let ids = slot.fit(&self.gpu, desc)?.mip(0);
        if drawn.take() != wanted {
            let push = CellsPush { side: (settings.cell_area as f32).sqrt(), empty: settings.empty };
            frame.compute("pixel_sort/cells", &self.cells).bind("ids", &ids).push(&push).dispatch(size)?;
        }
        *drawn = wanted;
        Ok(ids)
    }

    /// Sorts `ids`: R32U, one 32-bit ID a pixel, 0 for none, of an image that shaders may sample, by what `keys` keeps of
    /// them. The list stays as it is until the next call.
    ///
    /// A score that shows a world calls it with the visibility buffer and `settings.keys(&material_of)`; else, and with
    /// [`IdSource::Cells`], with [`input`](Self::input) and [`Keys::Whole`].
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &PixelSortSettings,
        ids: &ImageView,
        keys: Keys<'_>,
    ) -> Result<SortedList> {
        self.sort(frame, settings, ids, keys, false)
    }

    /// Whether a comparison of shading with and without a list runs.
    #[must_use]
    pub fn is_measuring(&self) -> bool {
        self.payoff.comparison.is_active()
    }

    /// While that runs: whether `frame`, which is recorded now, is to be shaded by the list.
    pub fn shading_turn(&mut self, frame: u64) -> Option<bool> {
        let (is_sorted, is_new) = self.payoff.turn(frame)?;
        if is_new {
            self.measure.forget();
        }
        Some(is_sorted)
    }

    /// `frame` was shaded, which took `shading_us`; `sort_us`: what sorting took, where it was by the list.
    pub fn add_shading(&mut self, frame: u64, sort_us: Option<f64>, shading_us: f64) {
        self.payoff.add(frame, sort_us, shading_us);
    }

    /// The picture of a view, encoded, as large as `ids`; `ids` and `keys` as for [`record`](Self::record), which it calls.
    ///
    /// # Errors
    /// An unknown name, or an error of the GPU.
    pub fn view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &PixelSortSettings,
        (ids, keys): (&ImageView, Keys<'_>),
        picture: &ImageView,
    ) -> Result<()> {
        let view = Self::view_index(name)?;
        let list = self.sort(frame, settings, ids, keys, name == "containers")?;
        let push = ViewPush { size: UVec2::from_array(ids.size()), view, is_short: u32::from(list.short) };
        let (material_of, kept) = (self.material_of(keys), keys.constant());
        let pipeline = self.pictures.get(kept, |kept| {
            ComputePipeline::new(&self.gpu, "pixel_sort/view.comp", &[("KEYS", *kept)])?.with_push::<ViewPush>()
        })?;
        frame
            .compute("pixel_sort/view", &pipeline)
            .bind("ids", ids.clone().through(Sampler::NearestClamp))
            .bind("Entries", &list.entries)
            .bind("Tiles", &list.tiles)
            .bind("Regions", &list.regions)
            .bind("Labels", &list.labels)
            .bind("MaterialOf", &material_of)
            .bind("picture", picture)
            .push(&push)
            .dispatch(picture.size())
    }

    /// `labels`: say by entry which bucket it came from.
    fn sort(
        &mut self,
        frame: &mut Frame,
        settings: &PixelSortSettings,
        ids: &ImageView,
        keys: Keys<'_>,
        labels: bool,
    ) -> Result<SortedList> {
        let shape = Shape::new(settings, ids.size(), labels);
        let mut held = match self.held.take() {
            Some(held) if held.shape == shape => held,
            _ => ListBuffers::new(frame, shape)?,
        };
        let (list, next) = held.turn();
        let size = Vec2::new(shape.size[0] as f32, shape.size[1] as f32);
        let push = SortPush { size: UVec2::from_array(shape.size), texel: size.recip(), consumer: CONSUMER_GROUP };
        let [across, down] = SortedList::tiles_of(shape.size);
        let material_of = self.material_of(keys);
        let passes: &[(PassId, bool)] =
            if settings.deterministic { &[(LENGTHS, true), (SORT, false)] } else { &[(SORT, false)] };
        for (name, totals) in passes {
            let pipeline = self.pipeline(settings, keys, *totals, labels)?;
            frame
                .compute(*name, &pipeline)
                .bind("ids", ids.clone().through(Sampler::NearestClamp))
                .bind("Entries", &list.entries)
                .bind("Tiles", &list.tiles)
                .bind("Regions", &list.regions)
                .bind("Now", &list.counts)
                .bind("Next", &next)
                .bind("Lengths", &held.lengths)
                .bind("Labels", &list.labels)
                .bind("MaterialOf", &material_of)
                .push(&push)
                .dispatch_groups([across, down, 1])?;
        }
        self.held = Some(held);
        self.last = Some((list.clone(), !matches!(keys, Keys::Whole)));
        if self.is_measuring() {
            self.measure.begin(frame, (ids, keys, &material_of), &list)?;
        }
        Ok(list)
    }

    fn pipeline(
        &self,
        settings: &PixelSortSettings,
        keys: Keys<'_>,
        totals: bool,
        labels: bool,
    ) -> Result<ComputePipeline> {
        let (lanes, half) = self.lanes.chosen(&self.gpu, settings);
        let shared_bytes = if half { None } else { Some(self.gpu.info().shared_bytes) };
        let mut constants = constants(settings, totals, labels, (lanes, shared_bytes));
        constants.push(("KEYS", keys.constant()));
        let shader = if half { "pixel_sort/sort.comp:subgroup16" } else { "pixel_sort/sort.comp:subgroup" };
        self.sorts.get(constants, |constants| {
            let made = match lanes {
                Lanes::Shared => ComputePipeline::new(&self.gpu, "pixel_sort/sort.comp:shared", constants)?,
                Lanes::Usual => ComputePipeline::new(&self.gpu, shader, constants)?,
                Lanes::Of(size) => ComputePipeline::with_subgroup(&self.gpu, shader, constants, size)?,
            };
            made.with_push::<SortPush>()
        })
    }
}
