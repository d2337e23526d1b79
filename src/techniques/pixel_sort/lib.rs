//! Per-tile pixel sort: the pixels of each 64x64 tile listed so that neighbours in the list have the same ID.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

mod by_material;
#[cfg(feature = "lab")]
pub mod lab;
mod list;
mod passes;
mod settings;
mod variant;
mod views;

pub use list::{ARGUMENTS_AT, CONSUMER_GROUP, COUNTS, PADDING, SortedList, TILE, key_of};
pub use passes::sorter::{LENGTHS, SORT};
pub use settings::{IdSource, Key, Keys, PixelSortSettings};

use self::{
    list::{ListBuffers, Sorted},
    variant::{Constants, Lanes},
};
use gpu::{Buffer, ComputePipeline, Frame, Gpu, ImageSlot, ImageView, PipelineCache, Result};
use std::{cell::RefCell, sync::Arc};
use technique::{FrameContext, Info, Output, Stage, Technique};

pub struct PixelSort {
    gpu: Arc<Gpu>,
    lanes: Lanes,
    cells: ComputePipeline,
    views: PipelineCache<u32>,
    sorts: PipelineCache<Constants>,
    no_materials: Buffer,
    buffers: Option<ListBuffers>,
    for_others: RefCell<Option<ListBuffers>>,
    last: Option<(SortedList, bool)>,
    /// A comparison runs: it takes `sorted`, and chooses by what the next picture is shaded.
    is_compared: bool,
    sorted: Option<Sorted>,
    shades_by_list: Option<bool>,
    ids: (ImageSlot, Option<([u32; 2], u32, u32)>),
}

impl Technique for PixelSort {
    const INFO: Info = Info {
        id: "pixel_sort",
        title: "Pixel sort",
        doc: include_str!("../../../docs/pixel_sort.md"),
        stage: Stage::World,
        views: &views::VIEWS,
        outputs: &list::OUTPUTS,
        ..Info::NONE
    };
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
                self.view(frame, name, settings, &world.ids, keys, picture)?;
            }
            None => {
                let ids = self.input(frame, settings, picture.size())?;
                self.view(frame, name, settings, &ids, Keys::Whole, picture)?;
            }
        }
        Ok(true)
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let (list, of_world) = self.last.as_ref()?;
        // The list is of an earlier frame.
        let is_left_over = *of_world && context.world.as_ref().is_none_or(|world| world.list.is_none());
        if is_left_over { None } else { list.output(name) }
    }
}
