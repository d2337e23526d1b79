//! Replay of the sort of one tile: the deterministic list of the last frame's IDs, step by step.

use super::{
    reference::{Event, Image, KeyMode, ReferenceList, class_of, color_of, traced},
    story,
};
use crate::{
    IdSource, Key, Keys, PADDING, PixelSort, PixelSortSettings, TILE,
    list::{ListBuffers, Shape},
    passes::sorter::{SORT, cells_of},
};
use gpu::Frame;
use std::collections::{BTreeMap, BTreeSet};
use technique::{
    Arrow, Cell, FrameContext, Grid, MemoryComparison, NamedOutputs, Replay, ReplayStep, Replays, Role, StoryPixel,
    Technique as _, Variant, WorldFrame, all_words, size_of_array,
};

/// Entries that a warp of a later shader takes.
const WARP: usize = 32;
/// How a sort whose list may differ from run to run works: it cannot be compared word by word.
const NOTE: &str = "Without \"Same list every run\" an ID gets the first free bucket that its thread finds, an atomic addition gives a run of equal IDs its ranks, and buckets of one class have no order.";
const SAME_LIST: &str = "the sort with the same list every run";
const FREE_LIST: &str = "the sort whose list has no fixed order";
const BUCKETS_ACROSS: usize = 12;

fn deterministic(settings: &PixelSortSettings) -> PixelSortSettings {
    PixelSortSettings { deterministic: true, ..settings.clone() }
}

fn world<'a>(settings: &PixelSortSettings, context: &'a FrameContext) -> Option<&'a WorldFrame> {
    context.world.as_ref().filter(|_| settings.input == IdSource::Scene)
}

impl Replays for PixelSort {
    const SHOWS: &'static str = "The sort of one tile: hash, buckets, ranks, list.";

    /// In other buffers, always in the same order.
    fn record_replay(
        &self,
        frame: &mut Frame,
        settings: &PixelSortSettings,
        context: &FrameContext,
    ) -> gpu::Result<NamedOutputs> {
        let world = world(settings, context);
        let ids = match world {
            Some(world) => world.ids.clone(),
            None => {
                let ids = gpu::Image::new(&self.gpu, cells_of(context.picture.size()))?.mip(0);
                self.draw_cells(frame, settings, &ids)?;
                ids
            }
        };
        let keys = world.map_or(Keys::Whole, |world| settings.keys(&world.resident.material_of));
        let settings = deterministic(settings);
        let mut buffers = ListBuffers::new(frame, Shape::new(&settings, ids.size(), false))?;
        let list = self.record_into(&mut buffers, frame, SORT.as_ref(), &settings, &ids, keys)?;
        let mut read: Vec<_> =
            ["entries", "regions"].into_iter().filter_map(|name| Some((name, list.output(name)?))).collect();
        read.push(("ids", ids.into()));
        if world.is_some_and(|world| world.list.is_some()) {
            let own = [("own entries", "entries"), ("own regions", "regions")];
            read.extend(own.into_iter().filter_map(|(name, output)| Some((name, self.output(output, context)?))));
        }
        Ok(read)
    }

    fn replay(&self, settings: &PixelSortSettings, pixel: &StoryPixel<'_>) -> Result<Replay, String> {
        let is_listed = world(settings, pixel.context).is_none_or(|world| world.list.is_some());
        let note = variant(settings, is_listed).note(if settings.deterministic || !is_listed { "" } else { NOTE });
        let settings = deterministic(settings);
        let read = pixel.array("ids").and_then(|ids| Some((all_words(ids), size_of_array(ids)?)));
        let (ids, size) = read.ok_or("The frame has no IDs to sort.")?;
        let tiles = pixel.tiles([TILE; 2], size);
        let (mode, noun) = match (world(&settings, pixel.context), settings.key) {
            (Some(world), Key::Material) => (story::mode(&settings, &world.resident.world), "material"),
            (Some(_), Key::Meshlet) => (KeyMode::Meshlet, "meshlet"),
            (None, _) => (KeyMode::Whole, "ID"),
        };
        let is_valid = |id: u32| {
            let world = world(&settings, pixel.context);
            world.is_none_or(|world| world.resident.world.meshlet_of(id).is_some())
        };
        let image = story::cut(&ids, size, tiles.at, is_valid).keyed(&mode);
        let mut steps = Steps::new(&settings, &image, noun);
        let listed = traced(&image, &settings, &mut |event| steps.add(&event));
        let corner = tiles.at.map(|at| at * TILE);
        let placed = |entry: &u32| if *entry == PADDING { PADDING } else { entry + (corner[1] << 16 | corner[0]) };
        let cpu: Vec<u32> = listed.entries.iter().map(placed).collect();
        let part = |entries, regions| part(pixel, entries, regions, tiles.number());
        let gpu = part("entries", "regions").ok_or("The GPU's list has no such tile.")?;
        let mut comparisons = vec![MemoryComparison::of("words of the list", &cpu, &gpu)];
        if let Some(own) = part("own entries", "own regions") {
            let [mut cpu, mut own] = [cpu, own];
            for list in [&mut cpu, &mut own] {
                // The amount of padding depends on the order.
                list.retain(|entry| *entry != PADDING);
                list.sort_unstable();
            }
            comparisons.push(MemoryComparison::of("pixels of the frame's own list, whose order is free", &cpu, &own));
        }
        steps.end(&listed, &comparisons[0]);
        let items = steps.items(corner);
        Ok(Replay::new(tiles, steps.steps, comparisons, note).items(items).timed(&[SORT.as_ref()]))
    }
}

/// `is_listed`: the frame has a list.
fn variant(settings: &PixelSortSettings, is_listed: bool) -> Variant {
    let name = |is_same: bool| if is_same { SAME_LIST } else { FREE_LIST }.to_owned();
    let runs = if is_listed { name(settings.deterministic) } else { String::new() };
    Variant { runs, when: "", shown: name(true) }
}

fn part(pixel: &StoryPixel<'_>, entries: &'static str, regions: &'static str, tile: usize) -> Option<Vec<u32>> {
    let (entries, regions) = (all_words(pixel.array(entries)?), all_words(pixel.array(regions)?));
    let [first, length] = *regions.as_chunks::<2>().0.get(tile)?;
    let range = first as usize..(first as usize).saturating_add(length as usize);
    Some(entries.get(range)?.to_vec())
}

struct Steps<'a> {
    settings: &'a PixelSortSettings,
    image: &'a Image,
    noun: &'static str,
    /// Slot, entry, scrambled key.
    pixels: Vec<(u32, u32, u32)>,
    /// By scrambled key.
    ids: BTreeMap<u32, u32>,
    /// Entry, bucket, rank; in the order of the pixels.
    ranked: Vec<(u32, usize, u32)>,
    buckets: Vec<Cell>,
    /// Keys without a bucket, and rounds so far.
    pending: BTreeSet<u32>,
    rounds: u32,
    /// Pixels of each bucket.
    counts: Vec<u32>,
    /// Place in the list by pixel.
    places: Vec<usize>,
    steps: Vec<ReplayStep>,
}

impl<'a> Steps<'a> {
    fn new(settings: &'a PixelSortSettings, image: &'a Image, noun: &'static str) -> Self {
        let buckets = vec![Cell::default(); settings.containers as usize];
        let (pixels, ids, ranked, pending, counts, places) = Default::default();
        Self { settings, image, noun, pixels, ids, ranked, buckets, pending, rounds: 0, counts, places, steps: vec![] }
    }

    fn add(&mut self, event: &Event<'_>) {
        match event {
            Event::Read(pixels) => self.read(pixels),
            Event::Claimed(owner, pending) => self.claim(owner, pending),
            Event::Ranked(ranked, counts) => self.rank(ranked, counts),
            Event::LaidOut(place, length) => self.lay_out(place, *length),
        }
    }

    /// Pixels next to the buckets, whose cells have `what`.
    fn push(&mut self, name: impl Into<String>, sentence: String, pixels: Grid, what: &str) -> &mut ReplayStep {
        let title = format!("Buckets in shared memory{what}");
        let buckets = Grid::new(title, BUCKETS_ACROSS, self.buckets.clone()).aspect(1.6);
        self.steps.push_mut(ReplayStep::new(name, sentence, vec![pixels, buckets]))
    }

    /// Names of figures: what the tile has, 8x4 pixels, and 32 entries.
    fn counted(&self) -> [&'static str; 3] {
        match self.noun {
            "material" => ["materials in the tile", "materials in 8x4 pixels, mean", "materials in 32 entries, mean"],
            "meshlet" => ["meshlets in the tile", "meshlets in 8x4 pixels, mean", "meshlets in 32 entries, mean"],
            _ => ["IDs in the tile", "IDs in 8x4 pixels, mean", "IDs in 32 entries, mean"],
        }
    }

    fn color(&self, key: u32) -> [u8; 3] {
        color_of(self.ids.get(&key).copied().unwrap_or_default()).round().to_array().map(|channel| channel as u8)
    }

    fn name(&self, key: u32) -> String {
        match self.ids.get(&key).copied().unwrap_or_default() {
            // Keys count from 1.
            id if self.noun != "ID" => format!("{} {}", self.noun, id.saturating_sub(1)),
            id => format!("ID {id:#x}"),
        }
    }

    fn pixels(
        &self,
        (title, columns, count): (&str, usize, usize),
        place: impl Fn(usize) -> usize,
        role: impl Fn(u32) -> Role,
    ) -> Grid {
        let mut cells = vec![Cell::default(); count];
        for (item, (.., key)) in self.pixels.iter().enumerate() {
            if let Some(cell) = cells.get_mut(place(item)) {
                *cell = Cell::item(self.color(*key), item).role(role(*key));
            }
        }
        Grid::new(title, columns, cells)
    }

    /// In the order of their slots, which rows of 32 threads take.
    fn slots(&self, role: impl Fn(u32) -> Role) -> Grid {
        let slot = |item: usize| self.pixels[item].0 as usize;
        let shape = ("Slots; 32 threads take each 32", TILE as usize, (TILE * TILE) as usize);
        self.pixels(shape, slot, role).grouped(WARP, 1)
    }

    fn read(&mut self, pixels: &[(u32, u32, u32)]) {
        self.pixels = pixels.to_vec();
        let [width, height] = self.image.size.map(|side| side as usize);
        let id = |entry: u32| self.image.ids[(entry >> 16) as usize * width + (entry & 0xFFFF) as usize];
        self.ids = pixels.iter().map(|(_, entry, key)| (*key, id(*entry))).collect();
        self.pending = self.ids.keys().copied().collect();
        let noun = self.noun;
        let place = |item: usize| (pixels[item].1 >> 16) as usize * width + (pixels[item].1 & 0xFFFF) as usize;
        let picture = self.pixels(("Pixels of the tile", width, width * height), place, |_| Role::Idle).grouped(8, 4);
        let mean = self.image.raster_coherence();
        let each = format!(
            "A workgroup of 512 threads reads the IDs of 64x64 pixels. Unsorted, each warp of 32 threads shades 8x4 pixels, with {mean:.2} different {noun}s on average."
        );
        let [in_tile, in_blocks, _] = self.counted();
        let ids = self.ids.len().to_string();
        self.push("Read the tile", each, picture, "").figures =
            vec![("pixels with an ID", pixels.len().to_string()), (in_tile, ids), (in_blocks, format!("{mean:.2}"))];
        let order = if self.settings.by_rows { "row by row" } else { "along a Z-order curve" };
        let number = format!(
            "Every pixel gets a slot, {order}, so that equal {noun}s are often neighbours here already. A row of 32 threads takes 32 slots; each of the 512 threads takes eight of them, 512 apart."
        );
        let slots = self.slots(|_| Role::Idle);
        self.push("Number the pixels", number, slots, "");
        self.homes();
    }

    fn homes(&mut self) {
        let count = self.settings.containers;
        let mut wanted: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for key in self.ids.keys() {
            wanted.entry(key % count).or_default().push(*key);
        }
        for (bucket, keys) in &wanted {
            let role = if keys.len() > 1 { Role::Wrong } else { Role::Active };
            self.buckets[*bucket as usize] = Cell::new(self.color(keys[0]), keys.len().to_string()).role(role);
        }
        let shared: BTreeSet<u32> = wanted.values().filter(|keys| keys.len() > 1).flatten().copied().collect();
        let noun = self.noun;
        let several = match wanted.values().filter(|keys| keys.len() > 1).count() {
            0 => "No two have the same home".into(),
            1 => "One bucket is the home of several".into(),
            n => format!("{n} buckets are the home of several"),
        };
        let each = format!(
            "Each {noun} is hashed, so that neighbouring numbers spread. The hash modulo {count} is its home bucket. {several}."
        );
        let role = |key: u32| if shared.contains(&key) { Role::Wrong } else { Role::Idle };
        let mut slots = self.slots(role);
        slots.title += "; red: several have the same home";
        self.push("Hash to a home bucket", each, slots, &format!(": {noun}s of this home"));
        if !self.settings.resolve {
            self.pending.clear();
        }
    }

    fn claim(&mut self, owner: &[u32], pending: &BTreeSet<u32>) {
        let before = std::mem::replace(&mut self.pending, pending.clone());
        let round = self.rounds;
        self.rounds += 1;
        if before.is_empty() {
            return;
        }
        let bucket = |key: &u32| match key {
            0 => Cell::default(),
            key => {
                let role = if before.contains(key) { Role::Active } else { Role::Idle };
                Cell::new(self.color(*key), "").role(role)
            }
        };
        self.buckets = owner.iter().map(bucket).collect();
        let (noun, got) = (self.noun, self.ids.len() - pending.len());
        let place = if round == 0 { "its home".into() } else { format!("the one {round} after its home") };
        let more = self.settings.tries.saturating_sub(round + 1);
        let rest = match (pending.len(), more) {
            (0, 0) => String::new(),
            (0, 1) => "; the last try is not needed".into(),
            (0, more) => format!("; the other {more} tries are not needed"),
            (n, 1..) => format!("; {n} try the next bucket"),
            (n, _) => format!("; {n} share their home with its owner, and their pixels mix with its pixels"),
        };
        let each = format!(
            "Each {noun} without a bucket tries {place}. Of those that find it free, the one with the largest hash gets it, whatever the order of the threads. Now {got} of {} have one{rest}.",
            self.ids.len()
        );
        let role = |key: u32| match (pending.contains(&key), before.contains(&key)) {
            (true, _) => Role::Wrong,
            (false, true) => Role::Idle,
            (false, false) => Role::Faded,
        };
        let mut slots = self.slots(role);
        slots.title += "; red: no bucket yet, dark: had one before";
        self.push(format!("Claim a bucket, try {}", round + 1), each, slots, "");
    }

    fn rank(&mut self, ranked: &[(u32, usize, u32)], counts: &[u32]) {
        self.ranked = ranked.to_vec();
        for (bucket, count) in counts.iter().enumerate() {
            let of = |at: &(usize, &(u32, usize, u32))| at.1.1 == bucket;
            let first = ranked.iter().enumerate().find(of).map(|(item, _)| self.color(self.pixels[item].2));
            self.buckets[bucket] = match first {
                Some(color) => {
                    let item = self.pixels.len() + bucket;
                    Cell { text: count.to_string(), ..Cell::item(color, item).role(Role::Active) }
                }
                None => Cell::default(),
            };
        }
        let used = counts.iter().filter(|count| **count > 0).count();
        let each = format!(
            "The pixels of each bucket are counted in shared memory. {used} buckets are in use, and their counts are the lengths of their parts of the list."
        );
        let slots = self.slots(|_| Role::Idle);
        self.push("Count the pixels", each, slots, ": pixels");
        self.counts = counts.to_vec();
        self.buckets.iter_mut().filter(|cell| cell.role == Role::Active).for_each(|cell| cell.role = Role::Idle);
        self.row_of_threads();
    }

    /// The row of threads with the most buckets: how ranks are found.
    fn row_of_threads(&mut self) {
        let mut rows: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (item, (slot, ..)) in self.pixels.iter().enumerate() {
            rows.entry(slot / WARP as u32).or_default().push(item);
        }
        let kinds = |items: &[usize]| items.iter().map(|item| self.ranked[*item].1).collect::<BTreeSet<_>>().len();
        let Some((row, items)) = rows.iter().max_by_key(|(row, items)| (kinds(items), std::cmp::Reverse(**row))) else {
            return;
        };
        let mut cells = vec![Cell::default(); 3 * WARP];
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for item in items {
            let (lane, color) = (self.pixels[*item].0 as usize % WARP, self.color(self.pixels[*item].2));
            let (_, bucket, rank) = self.ranked[*item];
            let alike = groups.entry(bucket).or_default();
            let role = if alike.is_empty() { Role::Active } else { Role::Idle };
            for (line, number) in [bucket, alike.len(), rank as usize].into_iter().enumerate() {
                cells[line * WARP + lane] = Cell::new(color, number.to_string()).role(role);
            }
            alike.push(lane);
        }
        let largest = groups.values().max_by_key(|lanes| lanes.len()).cloned().unwrap_or_default();
        let first = largest.first().copied().unwrap_or_default();
        // Slots and buckets are the grids before.
        let arrow = |lane: &usize| Arrow { from: [2, first], to: [2, *lane] };
        let arrows = largest.iter().skip(1).map(arrow).collect();
        let title = format!("Threads of row {row}: bucket, threads with it before in the row, rank in the tile");
        let each = format!(
            "In each row of 32, threads with the same bucket find each other by ballots (by masks in shared memory, where subgroups are small), and the first of them counts for all. A rank is the number of pixels of the bucket in the slots before. {} buckets meet in row {row}.",
            groups.len()
        );
        let shown = *row;
        let mut slots = self.slots(|_| Role::Faded);
        for item in items {
            slots.cells[self.pixels[*item].0 as usize].role = Role::Active;
        }
        slots.outlines.retain(|[column, line, ..]| (line * TILE as usize + column) / WARP == shown as usize);
        let step = self.push("Rank the pixels", each, slots, ": pixels");
        step.grids.push(Grid::new(title, WARP, cells).aspect(1.5).grouped(WARP, 1).wide());
        step.arrows = arrows;
    }

    fn lay_out(&mut self, place: &dyn Fn(usize, u32) -> u32, length: u32) {
        self.places = self.ranked.iter().map(|(_, bucket, rank)| place(*bucket, *rank) as usize).collect();
        let mut used: Vec<usize> = (0..self.buckets.len()).filter(|at| self.buckets[*at].item.is_some()).collect();
        used.sort_by_key(|bucket| place(*bucket, 0));
        let before = self.buckets.clone();
        let first = |bucket: &usize| Cell { text: place(*bucket, 0).to_string(), ..before[*bucket].clone() };
        let count = self.buckets.len();
        self.buckets = used.iter().map(first).collect();
        self.buckets.resize(count, Cell::default());
        let each = match (self.settings.packed, self.settings.sort) {
            (true, _) => {
                "The whole warps of each bucket come first. What is left of each is fitted together by eights, so that no remainder straddles two warps"
            }
            (false, true) => {
                "A bucket has class 31 if its count is a multiple of 32, else its count / 8, at most 30. Higher classes come first, and within a class the smaller number of the bucket. After whole warps the next bucket begins at a warp, too; of large buckets a warp holds two at most; only at the end are there warps with many small ones"
            }
            (false, false) => {
                "The buckets stay in their order, and a prefix sum over their counts gives the first place of each"
            }
        };
        let slots = self.slots(|_| Role::Idle);
        let is_classed = self.settings.sort && !self.settings.packed;
        let class = |bucket: &usize| {
            let of = before[*bucket].clone();
            Cell { text: class_of(self.counts[*bucket]).to_string(), item: None, ..of }
        };
        let mut classes: Vec<Cell> = used.iter().map(class).collect();
        classes.resize(classes.len().next_multiple_of(BUCKETS_ACROSS), Cell::default());
        let name = if self.settings.packed { "entries with gaps" } else { "entries without padding" };
        let step = self.push("Order the buckets", format!("{each}."), slots, ": first place");
        step.figures = vec![(name, length.to_string())];
        if is_classed {
            step.grids.push(Grid::new("Their classes", BUCKETS_ACROSS, classes).aspect(1.6));
        }
    }

    fn end(&mut self, listed: &ReferenceList, compared: &MemoryComparison) {
        let count = listed.entries.len();
        let grid = |role: &dyn Fn(u32) -> Role| {
            let shape = ("List; a warp takes each 32", TILE as usize, count);
            self.pixels(shape, |item| self.places[item], role).grouped(WARP, 1)
        };
        let (sum, warps) = self.image.coherence(listed);
        let [before, after] = [self.image.raster_coherence(), sum as f64 / warps.max(1) as f64];
        let (padding, noun) = (count - self.pixels.len(), self.noun);
        let rest = if self.settings.packed { ", the rest of its bucket to the place found for it" } else { "" };
        let each = format!(
            "Each pixel goes to the first place of its bucket plus its rank{rest}. The 32 threads of a warp then shade {after:.2} different {noun}s instead of {before:.2}, on average; {padding} entries of padding fill up warps."
        );
        let list = grid(&|_| Role::Idle);
        let verdict = list.clone().wrong(&compared.differing);
        let [_, in_blocks, in_list] = self.counted();
        self.push("Write the list", each, list, ": first place").figures = vec![
            (in_blocks, format!("{before:.2}")),
            (in_list, format!("{after:.2}")),
            ("padding", padding.to_string()),
        ];
        let check = "The GPU has sorted the same tile. Its list is compared word by word, padding included; words that differ are marked.".into();
        self.push("Compare with the GPU", check, verdict, ": first place");
    }

    /// Names of the pixels, then of the buckets.
    fn items(&self, corner: [u32; 2]) -> Vec<String> {
        let pixel = |(slot, entry, key): &(u32, u32, u32)| {
            let [x, y] = [corner[0] + (entry & 0xFFFF), corner[1] + (entry >> 16)];
            format!("pixel {x}, {y}, slot {slot}: {}, hash {key:#010x}", self.name(*key))
        };
        let ranked = self.ranked.iter().map(|(_, bucket, rank)| format!(", bucket {bucket}, rank {rank}"));
        let pixels = self.pixels.iter().map(pixel).zip(ranked).map(|(pixel, ranked)| pixel + &ranked);
        let keys = |bucket: usize| {
            let of = self.ranked.iter().zip(&self.pixels).filter(|((_, at, _), _)| *at == bucket);
            let keys: BTreeSet<u32> = of.map(|(_, (.., key))| *key).collect();
            keys.iter().map(|key| self.name(*key)).collect::<Vec<_>>().join(", ")
        };
        let buckets = (0..self.buckets.len()).map(|bucket| format!("bucket {bucket}: {}", keys(bucket)));
        pixels.chain(buckets).collect()
    }
}
