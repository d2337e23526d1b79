//! Partial chain for the glass on software drivers: levels are drawn, eight pixels at once, and only where the glass
//! reads.

use crate::tier::Filter;
use gpu::{Format, Frame, Gpu, Image, ImageView, PipelineCache, RasterDesc, RasterPipeline, Result, Sampler};
use std::sync::Arc;
use technique::{DrawnBy, READ_BEYOND};

pub fn draws(gpu: &Gpu) -> bool {
    DrawnBy::Auto.draws_all(gpu)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum LevelStep {
    Decode,
    Halve(Filter),
    /// Where rows or columns do not pair up.
    Weigh(Filter, [u32; 2]),
}

#[derive(Default)]
pub struct PartialUpdate {
    pipelines: PipelineCache<(Format, LevelStep), RasterPipeline>,
}

impl PartialUpdate {
    fn get(&self, gpu: &Arc<Gpu>, format: Format, step: LevelStep) -> Result<RasterPipeline> {
        self.pipelines.get((format, step), |_| {
            let constant = |name: &str, value: u32| (String::from(name), value);
            let (shader, constants) = match step {
                LevelStep::Decode => ("mip_chain/linear.frag", Vec::new()),
                LevelStep::Halve(filter) => ("mip_chain/halve.frag", vec![constant("FILTER", filter.constant())]),
                LevelStep::Weigh(filter, [columns, rows]) => {
                    let odd = [constant("ODD_COLUMNS", columns), constant("ODD_ROWS", rows)];
                    ("mip_chain/level.frag", [vec![constant("FILTER", filter.constant())], odd.into()].concat())
                }
            };
            let shaders = vec!["include/screen.vert".into(), shader.into()];
            RasterPipeline::new(gpu, RasterDesc { shaders, color: vec![format], constants, ..Default::default() })
        })
    }

    pub fn record(
        &self,
        gpu: &Arc<Gpu>,
        frame: &mut Frame,
        filter: Filter,
        decoded: &ImageView,
        (chain, levels): (&Image, u32),
        part: Option<[i32; 4]>,
    ) -> Result<()> {
        let regions = part.map(|part| regions(chain.size(), levels, part));
        for level in 0..levels {
            let below = chain.mip(level);
            let (name, step, above) = match level.checked_sub(1).map(|above| chain.mip(above)) {
                None => ("mip_chain/linear".into(), LevelStep::Decode, decoded.clone()),
                Some(above) => {
                    let [width, height] = above.size();
                    let pairs = width % 2 == 0 && height % 2 == 0;
                    let odd = [width & 1, height & 1];
                    let step = if pairs { LevelStep::Halve(filter) } else { LevelStep::Weigh(filter, odd) };
                    let sampler = if pairs { Sampler::LinearClamp } else { Sampler::NearestClamp };
                    (format!("mip_chain/level {level}"), step, above.through(sampler))
                }
            };
            let mut draw = self.get(gpu, chain.format(), step)?.draw(3).bind("above", above);
            if let Some(regions) = &regions {
                draw = draw.scissor(regions[level as usize]);
            }
            frame.raster(name).color(&below, None).draw(draw).finish()?;
        }
        Ok(())
    }
}

/// By level: what is read there, and what the next level is made of.
fn regions(size: [u32; 2], levels: u32, part: [i32; 4]) -> Vec<[i32; 4]> {
    let mut all: Vec<[i32; 4]> = Vec::new();
    for level in (0..levels).rev() {
        let mut region = [0; 4];
        for axis in 0..2 {
            let (full, side) = (size[axis] as i32, (size[axis] >> level).max(1) as i32);
            let (mut low, mut high) = (part[axis], part[axis + 2]);
            (low, high) = (low.min(2 * full - high), high.max(-low));
            (low, high) = (low.div_euclid(1 << level) - READ_BEYOND, high.div_euclid(1 << level) + READ_BEYOND + 1);
            if let Some(next) = all.last() {
                // The tent's taps, and one more where texels do not pair up.
                (low, high) = (low.min(2 * next[axis] - 2), high.max(2 * next[axis + 2] + 3));
            }
            (region[axis], region[axis + 2]) = (low.clamp(0, side), high.clamp(0, side));
        }
        all.push(region);
    }
    all.reverse();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MipChain, MipChainSettings, chain_for};
    use lab::{TestBench, test_picture};
    use technique::Technique as _;

    #[test]
    fn each_level_has_what_is_read_of_it_and_of_the_next() {
        let all = regions([1280, 720], 5, [400, 300, 500, 400]);
        assert_eq!(all[4], [22, 15, 35, 29]);
        assert_eq!(all[3], [42, 28, 73, 61]);
        assert!(all[0][0] > 300 && all[0][2] < 620, "{all:?}");
        let all = regions([64, 64], 2, [-20, 50, 5, 70]);
        assert_eq!(all[1], [0, 22, 14, 32]);
        assert_eq!(regions([5, 1], 3, [-9, -9, 90, 90]), [[0, 0, 5, 1], [0, 0, 2, 1], [0, 0, 1, 1]]);
    }

    #[test]
    fn a_part_is_as_the_whole() {
        let gpu = Gpu::headless(true).unwrap();
        if !draws(&gpu) {
            return;
        }
        let mut bench = TestBench::on(&gpu).unwrap();
        let technique = MipChain::new(&gpu).unwrap();
        for (size, part) in [([320, 192], [100, 60, 140, 90]), ([203, 90], [-30, 70, 20, 99])] {
            let picture = bench.picture(size, &test_picture(size)).unwrap();
            let [whole, few] = ["whole", "part"].map(|name| chain_for(&gpu, name, size, 5).unwrap());
            for (chain, part) in [(&whole, None), (&few, Some(part))] {
                let clear = |frame: &mut Frame| {
                    (0..5).try_for_each(|level| frame.clear("test/clear", &chain.mip(level), [0.0; 4]))?;
                    technique.record_near(frame, &MipChainSettings::default(), &picture.mip(0), chain, part)
                };
                assert_eq!(bench.run(clear).unwrap(), part.is_some());
            }
            let mut left_out = 0;
            for (level, region) in (0..5).zip(regions(size, 5, part)) {
                let [width, _] = whole.mip(level).size();
                let all: Vec<[u16; 4]> = bench.read(&whole.mip(level)).unwrap();
                let some: Vec<[u16; 4]> = bench.read(&few.mip(level)).unwrap();
                for (at, (all, some)) in (0..).zip(all.iter().zip(&some)) {
                    let (x, y) = (at % width as i32, at / width as i32);
                    let is_in = x >= region[0] && x < region[2] && y >= region[1] && y < region[3];
                    assert_eq!(some, if is_in { all } else { &[0; 4] }, "level {level} at {x}, {y}");
                    left_out += usize::from(!is_in);
                }
            }
            assert!(left_out > 1000, "{left_out}");
        }
    }
}
