//! Checks of the views: the deterministic list of the CPU, drawn in the colours of the legends.

use super::{
    Keys, PADDING, PixelSort, PixelSortSettings, SortedList, TILE,
    checks::Pattern,
    reference::{Image, ReferenceList, color_of, sorted},
    variant::Lanes,
    views::VIEWS,
};
use crate::{
    base::difference::Errors,
    gpu::{self, Format, Gpu, ImageDesc, Use},
    lab::{Case, Effort, Reference, TestBench, Verdict},
    techniques::ViewInfo,
};
use glam::Vec3;

pub struct Views;

impl Reference for Views {
    const NAME: &'static str = "views";
    type Input = (Image, PixelSortSettings);
    /// By view, red, green and blue of each pixel, 0..255.
    type Output = Vec<Vec<f32>>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let settings = PixelSortSettings { deterministic: true, ..Default::default() };
        let packed = PixelSortSettings { packed: true, short_list: true, ..settings.clone() };
        let all = [
            ("squares", Pattern::Squares(9), settings.clone()),
            ("packed noise", Pattern::Noise(40), packed),
            ("noise", Pattern::Noise(700), settings),
        ];
        let count = if effort == Effort::Full { all.len() } else { 2 };
        let case = |(name, pattern, settings): (&str, Pattern, PixelSortSettings)| Case {
            name: name.into(),
            input: (pattern.image([387, 70]), settings),
        };
        all.into_iter().take(count).map(case).collect()
    }

    fn cpu((image, settings): &Self::Input) -> Vec<Vec<f32>> {
        let source = ViewSource { image, listed: sorted(image, settings) };
        let [width, height] = image.size;
        let pixels = || (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)));
        let picture = |view: &ViewInfo| pixels().flat_map(|(x, y)| source.color(view, x, y).to_array()).collect();
        VIEWS.iter().map(picture).collect()
    }

    fn gpu(bench: &mut TestBench, (image, settings): &Self::Input) -> anyhow::Result<Vec<Vec<f32>>> {
        let mut technique = PixelSort::with_lanes(bench.gpu(), Lanes::best(bench.gpu()))?;
        let ids = bench.image(ImageDesc::new("ids", image.size, Format::R32U, &[Use::Sample]), &image.ids)?.mip(0);
        let desc = ImageDesc::new("picture", image.size, Format::Rgba8, &[Use::Storage]);
        let picture = gpu::Image::new(bench.gpu(), desc)?.mip(0);
        let mut pictures = Vec::new();
        for view in VIEWS {
            bench.run(|frame| technique.view(frame, view.name, settings, (&ids, Keys::Whole), &picture))?;
            let texels: Vec<[u8; 4]> = bench.read(&picture)?;
            pictures.push(texels.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from)).collect());
        }
        Ok(pictures)
    }

    fn agree(_: &Self::Input, cpu: &Vec<Vec<f32>>, gpu: &Vec<Vec<f32>>) -> Verdict {
        let counts = Verdict::at_most("views missing", cpu.len().abs_diff(gpu.len()) as f64, 0.0);
        let one = |(view, (cpu, gpu)): (&ViewInfo, (&Vec<f32>, &Vec<f32>))| {
            Verdict::within(view.name, &Errors::between(cpu, gpu), [0.5, 1.1, 1.1])
        };
        VIEWS.iter().zip(cpu.iter().zip(gpu)).map(one).fold(counts, Verdict::and)
    }
}

struct ViewSource<'a> {
    image: &'a Image,
    listed: ReferenceList,
}

impl ViewSource<'_> {
    fn id_at(&self, x: u32, y: u32) -> u32 {
        let [width, height] = self.image.size;
        if x < width && y < height { self.image.ids[(y * width + x) as usize] } else { 0 }
    }

    /// Place in the list and entry that are drawn at a pixel: 64 in a row, of longer lists some rows.
    fn entry_at(&self, x: u32, y: u32) -> Option<(usize, u32)> {
        let across = SortedList::tiles_of(self.image.size)[0];
        let [first, count] = self.listed.regions[(y / TILE * across + x / TILE) as usize];
        let rows = count.div_ceil(TILE).max(TILE);
        let within = y % TILE * rows / TILE * TILE + x % TILE;
        let index = (first + within) as usize;
        (within < count).then(|| (index, self.listed.entries[index])).filter(|(_, entry)| *entry != PADDING)
    }

    fn listed_id_at(&self, x: u32, y: u32) -> u32 {
        self.entry_at(x, y).map_or(0, |(_, entry)| self.id_at(entry & 0xFFFF, entry >> 16))
    }

    fn color(&self, view: &ViewInfo, x: u32, y: u32) -> Vec3 {
        // One ID at the low end, eight at the high one.
        let heat = |ids: &mut dyn Iterator<Item = u32>| {
            let mut some: Vec<u32> = ids.filter(|id| *id != 0).collect();
            some.sort_unstable();
            some.dedup();
            if some.is_empty() { Vec3::ZERO } else { view.legend.ramp((some.len() as f32).log2() / 3.0) }
        };
        match view.name {
            "ids" => color_of(self.id_at(x, y)),
            "sorted" => color_of(self.listed_id_at(x, y)),
            "containers" => {
                self.entry_at(x, y).map_or(Vec3::ZERO, |(index, _)| color_of(self.listed.labels[index] + 1))
            }
            "coherence" => heat(&mut (0..32).map(|i| self.listed_id_at(x / 32 * 32 + i, y))),
            "coherence_raster" => heat(&mut (0..32).map(|i| self.id_at(x / 8 * 8 + i % 8, y / 4 * 4 + i / 8))),
            _ => Vec3::NAN,
        }
    }
}
