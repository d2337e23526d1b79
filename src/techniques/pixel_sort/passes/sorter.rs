//! Passes and resources of the sort.

use crate::{
    PixelSort,
    list::{CONSUMER_GROUP, ListBuffers, Shape, Sorted, SortedList},
    settings::{Keys, PixelSortSettings},
    variant::{Lanes, constants},
};
use base::timing::PassId;
use glam::{UVec2, Vec2};
use gpu::{
    Buffer, ComputePipeline, Format, Frame, Gpu, ImageDesc, ImageView, Memory, Result, Sampler, Use, gpu_struct,
};
use std::{cell::RefCell, sync::Arc};
use technique::Technique as _;

/// For a deterministic result.
pub const LENGTHS: PassId = PassId::new("pixel_sort/lengths");
pub const SORT: PassId = PassId::new("pixel_sort/sort");

gpu_struct! {
    struct CellsPush { side: f32, empty: f32 }
}

gpu_struct! {
    struct SortPush { size: UVec2, texel: Vec2, consumer: u32 }
}

gpu_struct! {
    struct ViewPush { size: UVec2, view: u32, is_short: u32 }
}

pub fn cells_of(size: [u32; 2]) -> ImageDesc {
    ImageDesc::new("cell IDs", size, Format::R32U, &[Use::Sample, Use::Storage])
}

impl PixelSort {
    pub(crate) fn with_lanes(gpu: &Arc<Gpu>, lanes: Lanes) -> Result<Self> {
        let cells = ComputePipeline::new(gpu, "pixel_sort/cells.comp", &[])?.with_push::<CellsPush>()?;
        let no_materials = Buffer::new(gpu, "pixel_sort nothing", 4, Memory::Device)?;
        Ok(Self {
            gpu: gpu.clone(),
            lanes,
            cells,
            views: Default::default(),
            sorts: Default::default(),
            no_materials,
            buffers: None,
            for_others: RefCell::default(),
            last: None,
            is_compared: false,
            sorted: None,
            shades_by_list: None,
            ids: Default::default(),
        })
    }

    pub(crate) fn material_of(&self, keys: Keys<'_>) -> Buffer {
        if let Keys::Material(table) = keys { table.clone() } else { self.no_materials.clone() }
    }

    /// One a pixel of `size`; drawn again only after a change.
    pub fn input(&mut self, frame: &mut Frame, settings: &PixelSortSettings, size: [u32; 2]) -> Result<ImageView> {
        let key = Some((size, settings.cell_area, settings.empty.to_bits()));
        let desc = cells_of(size);
        let (slot, drawn_key) = &mut self.ids;
        let ids = slot.fit(&self.gpu, desc)?.mip(0);
        if drawn_key.take() != key {
            self.draw_cells(frame, settings, &ids)?;
        }
        self.ids.1 = key;
        Ok(ids)
    }

    pub(crate) fn draw_cells(&self, frame: &mut Frame, settings: &PixelSortSettings, ids: &ImageView) -> Result<()> {
        let push = CellsPush { side: (settings.cell_area as f32).sqrt(), empty: settings.empty };
        frame.compute("pixel_sort/cells", &self.cells).bind("ids", ids).push(&push).dispatch(ids.size())
    }

    /// `ids`: R32U, 0 for none, that shaders may sample. Valid until the next call. For a world: the visibility buffer
    /// and `settings.keys(&material_of)`; otherwise, and with [`IdSource::Cells`](crate::IdSource::Cells),
    /// [`input`](Self::input) and [`Keys::Whole`].
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &PixelSortSettings,
        ids: &ImageView,
        keys: Keys<'_>,
    ) -> Result<SortedList> {
        self.sort(frame, settings, ids, keys, false)
    }

    pub fn is_measuring(&self) -> bool {
        self.is_compared
    }

    /// By what a comparison shades the picture that begins now.
    pub fn shading_turn(&mut self) -> Option<bool> {
        self.shades_by_list.take()
    }

    pub fn sorted(&self, ids: &ImageView, keys: Keys<'_>, list: SortedList) -> Sorted {
        Sorted { ids: ids.clone(), keys: keys.constant(), material_of: self.material_of(keys), list }
    }

    /// Encoded, as large as `ids`; calls [`record`](Self::record).
    pub fn view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &PixelSortSettings,
        ids: &ImageView,
        keys: Keys<'_>,
        picture: &ImageView,
    ) -> Result<()> {
        let view = Self::view_index(name)?;
        let list = self.sort(frame, settings, ids, keys, name == "containers")?;
        let push = ViewPush { size: UVec2::from_array(ids.size()), view, is_short: u32::from(list.short) };
        let (material_of, key_mode) = (self.material_of(keys), keys.constant());
        let pipeline = self.views.get(key_mode, |key_mode| {
            ComputePipeline::new(&self.gpu, "pixel_sort/view.comp", &[("KEYS", *key_mode)])?.with_push::<ViewPush>()
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

    pub(crate) fn sort(
        &mut self,
        frame: &mut Frame,
        settings: &PixelSortSettings,
        ids: &ImageView,
        keys: Keys<'_>,
        labels: bool,
    ) -> Result<SortedList> {
        let shape = Shape::new(settings, ids.size(), labels);
        let mut buffers = match self.buffers.take() {
            Some(buffers) if buffers.shape == shape => buffers,
            _ => ListBuffers::new(frame, shape)?,
        };
        let list = self.record_into(&mut buffers, frame, SORT.as_ref(), settings, ids, keys)?;
        self.buffers = Some(buffers);
        self.last = Some((list.clone(), !matches!(keys, Keys::Whole)));
        if self.is_compared {
            self.sorted = Some(self.sorted(ids, keys, list.clone()));
        }
        Ok(list)
    }

    pub(crate) fn record_into(
        &self,
        buffers: &mut ListBuffers,
        frame: &mut Frame,
        pass: &str,
        settings: &PixelSortSettings,
        ids: &ImageView,
        keys: Keys<'_>,
    ) -> Result<SortedList> {
        let shape = buffers.shape;
        let (list, next) = buffers.next();
        let size = Vec2::new(shape.size[0] as f32, shape.size[1] as f32);
        let push = SortPush { size: UVec2::from_array(shape.size), texel: size.recip(), consumer: CONSUMER_GROUP };
        let [across, down] = SortedList::tiles_of(shape.size);
        let material_of = self.material_of(keys);
        let passes: &[(&str, bool)] =
            if settings.deterministic { &[(LENGTHS.as_ref(), true), (pass, false)] } else { &[(pass, false)] };
        for (name, totals) in passes {
            let pipeline = self.pipeline(settings, keys, *totals, shape.labels)?;
            frame
                .compute(*name, &pipeline)
                .bind("ids", ids.clone().through(Sampler::NearestClamp))
                .bind("Entries", &list.entries)
                .bind("Tiles", &list.tiles)
                .bind("Regions", &list.regions)
                .bind("Now", &list.counts)
                .bind("Next", &next)
                .bind("Lengths", &buffers.lengths)
                .bind("Labels", &list.labels)
                .bind("MaterialOf", &material_of)
                .push(&push)
                .dispatch_groups([across, down, 1])?;
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
        let mut constants = constants(settings, totals, labels, lanes, shared_bytes);
        constants.push(("KEYS", keys.constant()));
        let shader = if half { "pixel_sort/sort.comp:subgroup16" } else { "pixel_sort/sort.comp:subgroup" };
        self.sorts.get(constants, |constants| {
            let pipeline = match lanes {
                Lanes::Shared => ComputePipeline::new(&self.gpu, "pixel_sort/sort.comp:shared", constants)?,
                Lanes::Usual => ComputePipeline::new(&self.gpu, shader, constants)?,
                Lanes::Of(size) => ComputePipeline::with_subgroup(&self.gpu, shader, constants, size)?,
            };
            pipeline.with_push::<SortPush>()
        })
    }
}
