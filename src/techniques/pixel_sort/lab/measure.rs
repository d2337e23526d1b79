//! Coherence of the pixels before and after sorting, counted on the GPU and read some frames later.

use crate::{ARGUMENTS_AT, COUNTS, list::Sorted};
use base::{text::percent, timing::FrameTiming};
use glam::UVec2;
use gpu::{Buffer, ComputePipeline, Delayed, Frame, Gpu, Memory, PipelineCache, ReadBack, Result, Sampler, gpu_struct};
use lab::{CardRow, CardTable, Cell, Column};
use std::sync::Arc;

gpu_struct! {
    struct MeasurePush { size: UVec2, is_short: u32 }
}

/// Groups of 32 pixels by number of IDs, 0 to 32.
pub type Histogram = [u32; 33];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Blocks of 8x4 pixels.
    pub raster: Histogram,
    /// 32 entries of the list each.
    pub list: Histogram,
    pub entries: u32,
    pub pixels: u32,
    /// Pixels whose key shares another key's bucket.
    pub unresolved: u32,
}

pub fn mean(histogram: &Histogram) -> Option<f64> {
    let kinds = || histogram.iter().enumerate().skip(1);
    let groups: f64 = kinds().map(|(_, groups)| f64::from(*groups)).sum();
    (groups > 0.0).then(|| kinds().map(|(n, groups)| n as f64 * f64::from(*groups)).sum::<f64>() / groups)
}

impl Figures {
    pub fn new(bins: &[u32], counts: &[u32]) -> Option<Self> {
        let (raster, list) = (bins.get(..33)?.try_into().ok()?, bins.get(33..66)?.try_into().ok()?);
        let [entries, pixels, unresolved] = counts.get(..3)?.try_into().ok()?;
        Some(Self { raster, list, entries, pixels, unresolved })
    }

    /// By raster and by list; `None` without IDs.
    pub fn means(&self) -> Option<[f64; 2]> {
        Some([mean(&self.raster)?, mean(&self.list)?])
    }

    pub fn table(&self) -> CardTable {
        let total = |histogram: &Histogram| f64::from(histogram.iter().skip(1).sum::<u32>().max(1));
        let row = |title: String, cells: [Cell; 2]| CardRow { title, cells: cells.into(), ..CardRow::default() };
        let mut rows = Vec::new();
        for (low, high) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 8), (9, 16), (17, 32)] {
            let share = |histogram: &Histogram| f64::from(histogram[low..=high].iter().sum::<u32>()) / total(histogram);
            let name = if low == high { low.to_string() } else { format!("{low} to {high}") };
            rows.push(row(name, [&self.list, &self.raster].map(|histogram| Cell::share(share(histogram)))));
        }
        let [raster, list] = self.means().map_or([None; 2], |means| means.map(Some));
        rows.push(row("mean".into(), [list, raster].map(|mean| Cell::number(mean, 2))));
        let part = |of: u32, whole: u32| {
            let share = f64::from(of) / f64::from(whole.max(1));
            Cell::new(share, percent(share, 1))
        };
        let padding = part(self.entries.saturating_sub(self.pixels), self.entries);
        rows.push(row("padding".into(), [padding, Cell::none()]));
        rows.push(row("unresolved".into(), [part(self.unresolved, self.pixels), Cell::none()]));
        let columns = vec![
            Column::new("IDs", "Distinct IDs among 32 pixels"),
            Column::new("sorted", "32 entries of the list each"),
            Column::new("unsorted", "Blocks of 8x4 pixels"),
        ];
        CardTable { title: "Distinct IDs per warp of 32".into(), columns, rows }
    }
}

#[derive(Default)]
pub struct Measure {
    pipelines: PipelineCache<(u32, u32)>,
    pending: Delayed<[ReadBack; 2]>,
    done: Option<Figures>,
}

impl Measure {
    fn pipeline(&self, gpu: &Arc<Gpu>, keys: u32, by_list: u32) -> Result<ComputePipeline> {
        self.pipelines.get((keys, by_list), |(keys, by_list)| {
            let constants = [("KEYS", *keys), ("BY_LIST", *by_list)];
            ComputePipeline::new(gpu, "pixel_sort/measure.comp", &constants)?.with_push::<MeasurePush>()
        })
    }

    /// Can be read when the frame has ended.
    pub fn record(&self, frame: &mut Frame, sorted: &Sorted) -> Result<[ReadBack; 2]> {
        let (Sorted { ids, keys, material_of, list }, gpu) = (sorted, frame.gpu().clone());
        let bins = Buffer::new(&gpu, "pixel_sort bins", 4 * 66, Memory::Device)?;
        frame.fill("pixel_sort/measure clear", &bins, 0)?;
        let push = MeasurePush { size: UVec2::from_array(list.size), is_short: u32::from(list.short) };
        for (name, by_list) in [("pixel_sort/measure raster", 0), ("pixel_sort/measure list", 1)] {
            let pipeline = self.pipeline(&gpu, *keys, by_list)?;
            let pass = frame
                .compute(name, &pipeline)
                .bind("ids", ids.clone().through(Sampler::NearestClamp))
                .bind("Entries", &list.entries)
                .bind("Tiles", &list.tiles)
                .bind("Counts", &list.counts)
                .bind("MaterialOf", material_of)
                .bind("Bins", &bins)
                .push(&push);
            match by_list {
                0 => pass.dispatch_groups([list.size[0].div_ceil(32), list.size[1].div_ceil(4), 1])?,
                _ => pass.dispatch_indirect(&list.counts, ARGUMENTS_AT)?,
            }
        }
        debug_assert!(list.counts.size() >= 4 * COUNTS as u64);
        Ok([frame.read_buffer(&bins)?, frame.read_buffer(&list.counts)?])
    }

    /// Once; nothing waits for the GPU.
    pub fn begin(&mut self, frame: &mut Frame, sorted: &Sorted) -> Result<()> {
        if self.done.is_none() && !self.pending.is_pending() {
            let counts = self.record(frame, sorted)?;
            self.pending.put(frame.number(), counts);
        }
        Ok(())
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        if let Some([bins, counts]) = self.pending.take(timing.frame) {
            self.done = Figures::new(&bins.read::<u32>()?, &counts.read::<u32>()?);
        }
        Ok(())
    }

    pub fn is_pending(&self) -> bool {
        self.pending.is_pending()
    }

    pub fn figures(&self) -> Option<&Figures> {
        self.done.as_ref()
    }

    pub fn forget(&mut self) {
        self.done = None;
        self.pending.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_in_its_column() {
        let (mut raster, mut list) = ([0; 33], [0; 33]);
        (raster[0], raster[1], raster[2], raster[4], raster[8], raster[16]) = (50, 10, 20, 10, 40, 20);
        (list[0], list[1], list[3], list[32]) = (7, 60, 20, 20);
        let figures = Figures { raster, list, entries: 400, pixels: 300, unresolved: 30 };
        let table = figures.table();
        assert_eq!(table.columns.iter().map(|column| column.name).collect::<Vec<_>>(), ["IDs", "sorted", "unsorted"]);
        let rows: Vec<_> = table
            .rows
            .iter()
            .map(|row| [row.title.as_str(), row.cells[0].text.as_str(), row.cells[1].text.as_str()])
            .collect();
        let expected = [
            ["1", "60 %", "10 %"],
            ["2", "0 %", "20 %"],
            ["3", "20 %", "0 %"],
            ["4", "0 %", "10 %"],
            ["5 to 8", "0 %", "40 %"],
            ["9 to 16", "0 %", "20 %"],
            ["17 to 32", "20 %", "0 %"],
            ["mean", "7.60", "7.30"],
            ["padding", "25.0 %", "—"],
            ["unresolved", "10.0 %", "—"],
        ];
        assert_eq!(rows, expected);
        assert_eq!(mean(&[0; 33]), None);
    }

    #[test]
    fn words_become_figures() {
        let bins: Vec<u32> = (100..166).collect();
        let figures = Figures::new(&bins, &[7, 8, 9, 10, 11, 12, 13, 14]).unwrap();
        assert_eq!((figures.raster[0], figures.raster[32], figures.list[0], figures.list[32]), (100, 132, 133, 165));
        assert_eq!((figures.entries, figures.pixels, figures.unresolved), (7, 8, 9));
        assert_eq!(Figures::new(&bins[..65], &[7, 8, 9]), None);
    }
}
