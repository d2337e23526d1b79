//! Replay of a tile of the single pass: the levels that its workgroup makes, by the reference implementation.

use super::{
    reference::{Plane, Taps, encode, reduced_by, taps},
    story::LEVELS,
};
use crate::{
    MipChain, MipChainSettings,
    images::chain_for,
    pipelines::Lanes,
    plan::{Aligned, Filter, Plan, Tier, plan},
    settings::Method,
};
use base::half;
use glam::DVec4;
use gpu::{Frame, full_chain, mip_size};
use media::array::Array;
use technique::{
    Arrow, Cell, FrameContext, Grid, MemoryComparison, NamedOutputs, Replay, ReplayStep, Replays, Role, StoryPixel,
    TilePlace, Variant, size_of_array,
};

/// A first tier makes six levels at the most.
const READ: usize = 7;
const WEIGHTS: usize = 4;
/// Steps of half floats by which a level may differ, for each level on the way: devices round up or down, and some add
/// unrounded values to rounded ones.
const STEPS: u16 = 2;

fn single_pass(settings: &MipChainSettings) -> MipChainSettings {
    MipChainSettings { method: Method::SinglePass, ..settings.clone() }
}

impl Replays for MipChain {
    const SHOWS: &'static str = "A tile of the single pass: its halo, its levels, the weights, who continues.";

    fn record_replay(
        &self,
        frame: &mut Frame,
        settings: &MipChainSettings,
        context: &FrameContext,
    ) -> gpu::Result<NamedOutputs> {
        let size = context.picture.size();
        let chain = chain_for(self.builder.pipelines.gpu(), "replayed chain", size, settings.levels)?;
        // Level 0 first, so that the pass reads what is compared.
        self.builder.decode(frame, &context.picture, &chain)?;
        self.builder.levels(frame, &single_pass(settings), &chain, None)?;
        let levels = (0..chain.mips()).zip(LEVELS).take(READ);
        Ok(levels.map(|(level, name)| (name, chain.mip(level).into())).collect())
    }

    fn replay(&self, settings: &MipChainSettings, pixel: &StoryPixel<'_>) -> Result<Replay, String> {
        let top = pixel.array(LEVELS[0]).and_then(|array| Some((array, size_of_array(array)?)));
        let (array, size) =
            top.filter(|(_, size)| size.iter().all(|side| *side > 0)).ok_or("The frame has no picture.")?;
        let levels = settings.levels.min(full_chain(size));
        let plan = plan(size, levels, settings.filter, None);
        let Some(tier) = plan.tiers.first() else { return Err("The chain has no level below the picture.".into()) };
        // Adjacent tiles are made in turn; this is one of them.
        let tier = Tier { side: [tier.side[0] / plan.share, tier.side[1]], ..*tier };
        let side = tier.side.map(|side| side << tier.depth);
        let tiles = pixel.tiles(side, size);
        let count = [0, 1].map(|axis| (size[axis] >> tier.depth).max(1).div_ceil(tier.side[axis]));
        // The last tile of a row has the rest of the row.
        let at = [0, 1].map(|axis| tiles.at[axis].min(count[axis] - 1));
        let tiles = TilePlace { at, count, ..tiles };
        let chain = Levels::new(&tier, settings.filter, size, at);
        let first = chain.parts.first().and_then(|part| part.texels_of(array)).ok_or("Level 0 was not read.")?;
        let arrays: Vec<&Array> =
            LEVELS[1..].iter().take(tier.depth as usize).filter_map(|name| pixel.array(name)).collect();
        if arrays.len() < tier.depth as usize {
            return Err("The levels were not read.".into());
        }
        // As this device rounds: to the nearest half float, or towards zero.
        let best = [half::from_f64 as fn(f64) -> u16, round_towards_zero].map(|round| {
            let planes = chain.planes(&first, round)?;
            let all = (1..).zip(&arrays).map(|(m, array)| compare(m, &chain.parts[m], &planes[m], array));
            let all = all.collect::<Option<Vec<LevelComparison>>>()?;
            Some((planes, all))
        });
        let exact = |(_, all): &(Vec<Plane>, Vec<LevelComparison>)| all.iter().map(|one| one.other_bits).sum::<usize>();
        let best = best.into_iter().flatten().min_by_key(exact);
        let (planes, compared) = best.ok_or("The levels that were read do not have the sizes of the chain's.")?;
        let single = self.builder.method_for(&single_pass(settings), &pixel.context.chain) == Method::SinglePass;
        let lanes = Lanes::of(self.builder.pipelines.gpu(), settings);
        let steps = Steps { chain: &chain, planes: &planes, plan: &plan, tier: &tier, lanes };
        let steps = steps.all(&compared, &tiles, single);
        let own = self.builder.method_for(settings, &pixel.context.chain);
        let method = |method: Method| format!("the method {}", method.title());
        let variant = Variant { runs: method(own), when: "", shown: method(Method::SinglePass) };
        let note = variant.note(match (single, own) {
            (false, _) => "This driver has no single pass: its levels are made by a dispatch for each.",
            (true, Method::SinglePass) => "",
            (true, _) => "Single pass makes all levels in one dispatch. The setting names the other method, or Auto chooses it for this device.",
        });
        let replay = Replay::new(tiles, steps, vec![overall(&compared)], note);
        Ok(if single { replay.timed(&["mip_chain/single pass"]) } else { by_level(replay) })
    }
}

fn by_level(mut replay: Replay) -> Replay {
    for step in &mut replay.steps {
        let level = step.name.strip_prefix("Make level ").map(|level| format!("mip_chain/level {level}"));
        step.passes.extend(level);
    }
    replay
}

fn round_towards_zero(value: f64) -> u16 {
    let bits = half::from_f64(value);
    if half::to_f64(bits).abs() > value.abs() { bits - 1 } else { bits }
}

#[derive(Clone, Debug)]
struct LevelPart {
    size: [u32; 2],
    /// First texel and one past the last by axis: with the halo, and what no other tile makes.
    span: [[u32; 2]; 2],
    own: [[u32; 2]; 2],
}

impl LevelPart {
    fn extent(&self) -> [u32; 2] {
        self.span.map(|[from, to]| to - from)
    }

    fn is_own(&self, place: usize) -> bool {
        let width = self.extent()[0];
        let at = [self.span[0][0] + place as u32 % width, self.span[1][0] + place as u32 / width];
        (0..2).all(|axis| (self.own[axis][0]..self.own[axis][1]).contains(&at[axis]))
    }

    fn bits_of(&self, array: &Array) -> Option<Vec<[u16; 4]>> {
        (size_of_array(array)? == self.size && array.shape.get(2) == Some(&4)).then_some(())?;
        let texels = bytemuck::pod_collect_to_vec::<u8, [u16; 4]>(&array.bytes);
        let ([[left, right], [top, bottom]], width) = (self.span, self.size[0]);
        let places = (top..bottom).flat_map(|y| (left..right).map(move |x| y * width + x));
        places.map(|place| texels.get(place as usize).copied()).collect()
    }

    fn texels_of(&self, array: &Array) -> Option<Plane> {
        let texels = self.bits_of(array)?.into_iter().map(|bits| DVec4::from_array(bits.map(half::to_f64)));
        Some(Plane { size: self.extent(), texels: texels.collect() })
    }
}

struct Levels {
    filter: Filter,
    parts: Vec<LevelPart>,
}

impl Levels {
    fn new(tier: &Tier, filter: Filter, size: [u32; 2], at: [u32; 2]) -> Self {
        let part = |m: u32| {
            let level = mip_size(size, m);
            let span = [0, 1].map(|axis| tier.span(filter, size[axis], axis, [at[axis], at[axis] + 1], m));
            let own = [0, 1].map(|axis| {
                let width = tier.side[axis] << (tier.depth - m);
                let is_last = (at[axis] + 1) * tier.side[axis] >= mip_size(size, tier.depth)[axis];
                let [from, to] = [at[axis], at[axis] + 1].map(|at| (at * width).min(level[axis]));
                [from, if is_last { level[axis] } else { to }]
            });
            LevelPart { size: level, span, own }
        };
        Self { filter, parts: (0..=tier.depth).map(part).collect() }
    }

    /// Taps of the texels of part `m`, from the first texel of the part above it.
    fn taps(&self, m: usize, axis: usize) -> Option<Vec<Taps>> {
        let (above, made) = (&self.parts[m - 1], &self.parts[m]);
        let all = taps(self.filter, above.size[axis], made.size[axis]);
        let [from, to] = made.span[axis].map(|at| at as usize);
        let shifted = |taps: &Taps| {
            let first = taps.first.checked_sub(above.span[axis][0] as usize)?;
            let is_inside = first + taps.weights.len() <= (above.span[axis][1] - above.span[axis][0]) as usize;
            is_inside.then(|| Taps { first, weights: taps.weights.clone() })
        };
        all.get(from..to)?.iter().map(shifted).collect()
    }

    /// Every level from the one above it, rounded to half floats.
    fn planes(&self, first: &Plane, round: fn(f64) -> u16) -> Option<Vec<Plane>> {
        let mut planes = vec![first.clone()];
        for m in 1..self.parts.len() {
            let mut plane = reduced_by(&planes[m - 1], self.parts[m].extent(), [self.taps(m, 0)?, self.taps(m, 1)?]);
            for texel in &mut plane.texels {
                *texel = DVec4::from_array(texel.to_array().map(|value| half::to_f64(round(value))));
            }
            planes.push(plane);
        }
        Some(planes)
    }
}

#[derive(Default)]
struct LevelComparison {
    halves: usize,
    /// Half floats with other bits, and the most steps that one is apart.
    other_bits: usize,
    largest: u16,
    /// Texels that rounding does not explain.
    differing: Vec<usize>,
}

fn compare(m: usize, part: &LevelPart, plane: &Plane, array: &Array) -> Option<LevelComparison> {
    let mut compared = LevelComparison::default();
    for (place, (texel, bits)) in plane.texels.iter().zip(part.bits_of(array)?).enumerate() {
        if !part.is_own(place) {
            continue;
        }
        let steps = [0, 1, 2, 3].map(|channel| half::from_f64(texel[channel]).abs_diff(bits[channel]));
        let worst = steps.into_iter().max().unwrap_or_default();
        compared.halves += steps.len();
        compared.other_bits += steps.iter().filter(|steps| **steps > 0).count();
        compared.largest = compared.largest.max(worst);
        compared.differing.extend((worst > STEPS * m as u16).then_some(place));
    }
    Some(compared)
}

fn overall(levels: &[LevelComparison]) -> MemoryComparison {
    let sum = |of: fn(&LevelComparison) -> usize| levels.iter().map(of).sum::<usize>();
    let [halves, others, texels] = [sum(|one| one.halves), sum(|one| one.other_bits), sum(|one| one.differing.len())];
    let largest = levels.iter().map(|one| one.largest).max().unwrap_or_default();
    let of = format!("half floats of levels 1 to {}", levels.len());
    let steps =
        if largest == 1 { "one step of a half float".into() } else { format!("up to {largest} steps of a half float") };
    let text = match (others, texels) {
        (0, _) => format!("Equal to the GPU's {halves} {of}, bit for bit"),
        (_, 0) => format!(
            "{} of the GPU's {halves} {of} have the same bits, {others} are {steps} apart, as rounding explains",
            halves - others
        ),
        _ => format!(
            "{texels} texels of levels 1 to {} are {steps} of half floats from the GPU's, more than rounding explains",
            levels.len()
        ),
    };
    MemoryComparison { text, differing: levels.iter().flat_map(|one| one.differing.clone()).collect() }
}

struct Steps<'a> {
    chain: &'a Levels,
    planes: &'a [Plane],
    plan: &'a Plan,
    tier: &'a Tier,
    lanes: Lanes,
}

impl Steps<'_> {
    fn all(&self, compared: &[LevelComparison], tiles: &TilePlace, is_single: bool) -> Vec<ReplayStep> {
        let made = (1..self.planes.len()).filter_map(|m| self.make(m));
        let end = self.hand_over(tiles).into_iter().chain([self.compare(compared, is_single)]);
        [self.read()].into_iter().chain(made).chain(end).collect()
    }

    fn grid(&self, m: usize) -> Grid {
        let part = &self.chain.parts[m];
        let [width, height] = part.extent().map(|side| side as usize);
        let cell = |(place, texel): (usize, &DVec4)| {
            let mean = (texel.x + texel.y + texel.z) / 3.0;
            let text = if width <= 20 { format!("{mean:.2}") } else { String::new() };
            let role = if part.is_own(place) { Role::Idle } else { Role::Faded };
            Cell::new(color(*texel), text).role(role)
        };
        let title = match m {
            0 => format!("Level 0, the picture: {width}x{height} texels"),
            _ => format!("Level {m}, made here: {width}x{height} texels, mean of red, green, blue"),
        };
        let mut grid = Grid::new(title, width, self.planes[m].texels.iter().enumerate().map(cell).collect());
        let [[left, right], [top, bottom]] = part.own;
        let inside = [left - part.span[0][0], top - part.span[1][0], right - left, bottom - top];
        grid.outlines = vec![inside.map(|side| side as usize)];
        grid
    }

    fn read(&self) -> ReplayStep {
        let part = &self.chain.parts[0];
        let [own, all] = [part.own.map(|[from, to]| to - from), part.extent()];
        let depth = self.tier.depth;
        let halo = match [all[0] - own[0], all[1] - own[1]] {
            [0, 0] => "needs no texel of its neighbours' tiles".into(),
            [x, y] => {
                let [all, own] = [all, own].map(|[width, height]| f64::from(width * height));
                let part = all / own;
                format!(
                    "reads {x} columns and {y} rows more around it, its halo, which its neighbours read too: {part:.2} times its texels"
                )
            }
        };
        let sentence = format!(
            "A workgroup of 256 threads makes {depth} levels of a tile of {}x{} texels. It {halo}. So it needs nothing from its neighbours for these levels.",
            own[0], own[1]
        );
        let figures = vec![("tiers, groups of levels that one tile makes", self.plan.tiers.len().to_string())];
        let grids = vec![self.grid(0)];
        ReplayStep::new("Read the tile", sentence, grids).figures(figures)
    }

    /// Level `m` from the one above it; the taps of the texel in its middle are marked.
    fn make(&self, m: usize) -> Option<ReplayStep> {
        let (above, made) = (&self.chain.parts[m - 1], &self.chain.parts[m]);
        let (columns, rows) = (self.chain.taps(m, 0)?, self.chain.taps(m, 1)?);
        let middle = made.extent().map(|side| (side / 2) as usize);
        let (across, down) = (columns.get(middle[0])?, rows.get(middle[1])?);
        let (mut from, mut to) = (self.grid(m - 1), self.grid(m));
        let target = middle[1] * to.columns + middle[0];
        let taps = [across.weights.len(), down.weights.len()];
        let mut arrows = Vec::new();
        for (y, x) in (0..taps[1]).flat_map(|y| (0..taps[0]).map(move |x| (y, x))) {
            let cell = (down.first + y) * from.columns + across.first + x;
            from.cells[cell].role = Role::Active;
            // From the corners: more would hide the texels.
            let is_corner = (x == 0 || x + 1 == taps[0]) && (y == 0 || y + 1 == taps[1]);
            arrows.extend(is_corner.then_some(Arrow { from: [0, cell], to: [1, target] }));
        }
        to.cells[target].role = Role::Active;
        let is_odd = [0, 1].map(|axis| above.size[axis] % 2 == 1 && above.size[axis] > 1);
        let weights = match (is_odd, self.chain.filter) {
            ([false, false], Filter::Box) => "its 2x2 texels pair up, and each weighs a quarter".into(),
            ([false, false], Filter::Tent) => "the weights are 1 3 3 1 over 8 along each axis".into(),
            (odd, _) => {
                let sides = [0, 1].into_iter().filter(|axis| odd[*axis]).map(|axis| above.size[axis].to_string());
                let sides: Vec<String> = sides.collect();
                let verb = if sides.len() > 1 { "are" } else { "is" };
                let sides = sides.join(" and ");
                format!("{sides} {verb} odd, so that texels do not pair up, and the weights move from texel to texel")
            }
        };
        let sentence = format!(
            "Each texel of level {m} is a weighted mean of {}x{} of level {}: {weights}. {}.",
            taps[0],
            taps[1],
            m - 1,
            base::text::sentence(&self.exchange(m))
        );
        let grids = vec![from, to, self.weights(m, &columns, middle[0])];
        let name = format!("Make level {m}");
        Some(ReplayStep::new(name, sentence, grids).arrows(arrows))
    }

    fn exchange(&self, m: usize) -> String {
        let shuffles = self.lanes.shuffles;
        let lanes = self.lanes.size.unwrap_or_default();
        if self.plan.aligned == Aligned::None {
            return match m {
                1 => {
                    "each thread sums weighted texels of its columns; sums of the columns beside come from other threads, by shuffles or shared memory"
                        .into()
                }
                _ => "threads read them from shared memory after a barrier".into(),
            };
        }
        let by_shuffles = match shuffles {
            0 => false,
            1 => m == 2,
            2 => m != 4,
            _ => true,
        };
        match (m, by_shuffles) {
            (1, _) => "a thread makes four of them, sixteen texels apart, without its neighbours".into(),
            (_, true) => format!("four threads of a subgroup of {lanes} exchange them by shuffles, without a barrier"),
            (_, false) => "they go through shared memory, with a barrier before and after".into(),
        }
    }

    fn weights(&self, m: usize, columns: &[Taps], middle: usize) -> Grid {
        let first = middle.saturating_sub(WEIGHTS / 2).min(columns.len().saturating_sub(WEIGHTS));
        let shown = &columns[first..columns.len().min(first + WEIGHTS)];
        let begin = shown.iter().map(|taps| taps.first).min().unwrap_or_default();
        let end = shown.iter().map(|taps| taps.first + taps.weights.len()).max().unwrap_or_default();
        let mut cells = vec![Cell::default(); shown.len() * (end - begin)];
        for (row, taps) in shown.iter().enumerate() {
            for (column, weight) in (taps.first - begin..).zip(&taps.weights) {
                let bright = (40.0 + 200.0 * weight) as u8;
                let cell = Cell::new([bright / 2, bright, bright], format!("{weight:.3}"));
                let role = if first + row == middle { Role::Active } else { Role::Idle };
                cells[row * (end - begin) + column] = cell.role(role);
            }
        }
        let [from, above] = [self.chain.parts[m].span[0][0], self.chain.parts[m - 1].span[0][0]];
        let title = format!(
            "Weights along a row: for texels {} to {} of level {m} (rows), of texels {} to {} of level {} (columns)",
            from + first as u32,
            from + (first + shown.len()) as u32 - 1,
            above + begin as u32,
            above + end as u32 - 1,
            m - 1
        );
        Grid::new(title, end - begin, cells).aspect(2.4).wide()
    }

    /// The tiles that the next tier's tile waits for.
    fn hand_over(&self, tiles: &TilePlace) -> Option<ReplayStep> {
        let next = self.plan.tiers.get(1)?;
        let depth = self.tier.depth as usize;
        let size = self.chain.parts[0].size;
        // A workgroup makes `share` adjacent blocks.
        let side = [self.tier.side[0] * self.plan.share, self.tier.side[1]];
        let own = self.chain.parts[depth].own;
        let range = [0, 1].map(|axis| {
            let tile = next.owner(size[axis], axis, 0, own[axis][0]);
            let [from, to] = next.reads(self.chain.filter, size[axis], axis, [tile, tile + 1]);
            [from / side[axis], to.div_ceil(side[axis])]
        });
        let [columns, rows] = range.map(|[from, to]| (to - from) as usize);
        let here = [tiles.at[0] / self.plan.share, tiles.at[1]];
        let plane = &self.planes[depth];
        let mean = plane.texels.iter().copied().sum::<DVec4>() / plane.texels.len().max(1) as f64;
        let cell = |place: usize| {
            let at = [range[0][0] + (place % columns) as u32, range[1][0] + (place / columns) as u32];
            let is_here = at == here;
            let cell = Cell::new(if is_here { color(mean) } else { [70, 76, 90] }, format!("{}, {}", at[0], at[1]));
            cell.role(if is_here { Role::Active } else { Role::Idle })
        };
        let sentence = format!(
            "The tile's texels of level {depth} go to a buffer, and it adds one to the counter of each tile of the next tier that reads them. Shown is one of these tiles: of the {} workgroups that it needs, the last to arrive makes its {} levels. The others end; none waits in a loop.",
            columns * rows,
            next.depth
        );
        let title = "Workgroups whose texels this tile of the next tier reads, by column and row".to_owned();
        let grids =
            vec![self.grid(depth), Grid::new(title, columns, (0..columns * rows).map(cell).collect()).aspect(1.6)];
        let figures = vec![
            ("counter counts to", (columns * rows).to_string()),
            ("tiles of the next tier", format!("{} x {}", next.count[0], next.count[1])),
        ];
        Some(ReplayStep::new("Hand over", sentence, grids).figures(figures))
    }

    fn compare(&self, compared: &[LevelComparison], is_single: bool) -> ReplayStep {
        let grids = (1..).zip(compared).map(|(m, one)| self.grid(m).wrong(&one.differing)).collect();
        let by = if is_single { "in a single pass" } else { "by a dispatch for each level, as this driver requires" };
        let sentence = format!(
            "The GPU has made the same levels {by}, and the texels that the tile alone makes are compared half float by half float; those that rounding does not explain are marked."
        );
        ReplayStep::compared(sentence, grids)
    }
}

fn color(texel: DVec4) -> [u8; 3] {
    [texel.x, texel.y, texel.z].map(|light| (255.0 * encode(light.clamp(0.0, 1.0))).round() as u8)
}
