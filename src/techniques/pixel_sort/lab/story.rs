//! Place of a pixel in the sorted list, in its story.

use super::reference::{Image, KeyMode, key_of, sorted};
use crate::{CONSUMER_GROUP, Key, PixelSort, PixelSortSettings, TILE};
use media::pixels::pixels_of;
use scene::world::World;
use serde_json::{Value, json};
use technique::{
    Agreement, Clause, Explains, Fact, FrameContext, NamedOutputs, Step, StepInfo, StoryPixel, Technique as _,
    all_words,
};

impl Explains for PixelSort {
    const STEPS: &'static [StepInfo] =
        &[StepInfo::new("sorted list", Clause::Light, &["lengths", "sort"]).lines(&["void choose_containers("])];

    fn evidence(&self, context: &FrameContext) -> NamedOutputs {
        let is_of_world = self.last.as_ref().is_some_and(|(_, of_world)| *of_world);
        let Some(world) = context.world.as_ref().filter(|world| is_of_world && world.list.is_some()) else {
            return Vec::new();
        };
        let named = |name: &'static str| Some((name, self.output(name, context)?));
        ["entries", "regions"].into_iter().filter_map(named).chain([("ids", (&world.ids).into())]).collect()
    }

    fn explain(&self, settings: &PixelSortSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        let all = (pixel.context.world.as_ref(), pixel.texel("ids"));
        let (Some(drawn), Some(seen)) = all else { return Vec::new() };
        let Some([entries, regions, ids]) = words(pixel) else { return Vec::new() };
        let (world, size, [x, y]) = (&drawn.resident.world, drawn.ids.size(), seen.at);
        let (tile, across) = ([x / TILE, y / TILE], size[0].div_ceil(TILE));
        let number = (tile[1] * across + tile[0]) as usize;
        let Some([first, length]) = regions.as_chunks::<2>().0.get(number) else { return Vec::new() };
        let range = *first as usize..(*first as usize).saturating_add(*length as usize);
        let listed = entries.get(range).unwrap_or_default();
        let places: Vec<usize> = (0..listed.len()).filter(|place| listed[*place] == y << 16 | x).collect();
        let mode = mode(settings, world);
        let cut = cut(&ids, size, tile, |id| world.meshlet_of(id).is_some());
        let by_cpu = sorted(&cut.keyed(&mode), settings);
        let own = (y % TILE) << 16 | (x % TILE);
        let expected: Vec<usize> = (0..by_cpu.entries.len()).filter(|place| by_cpu.entries[*place] == own).collect();
        let key = world.meshlet_of(seen.numbers[0] as u32).map_or(0, |_| mode.of(seen.numbers[0] as u32));
        let home = key_of(key) % settings.containers.max(1);
        let is_exact = settings.deterministic;
        let mut place = match places.first() {
            Some(place) => Fact::gpu("place in the tile's list", first + *place as u32, *place),
            None => Fact::gpu("place in the tile's list", Value::Null, "not listed"),
        };
        let bucket = expected.first().map(|place| by_cpu.labels[*place]);
        if is_exact {
            let cpu = expected.first().map_or_else(|| "not listed".into(), |place| json!(place));
            place = place.judged(cpu, Agreement::exact(places == expected));
        }
        let room = Fact::gpu("entries of the tile, padding included", *length, *length);
        let facts = vec![
            Fact::cpu("tile", json!(tile)),
            Fact::cpu("key", key).said(format!("{key}, by {}; hashed {:#010x}", settings.key.name(), key_of(key))),
            Fact::cpu("home bucket", home).said(format!("{home} of {}", settings.containers)),
            Fact::gpu("times listed", Value::Null, places.len()).against(&[expected.len() as f64], 0.0),
            place,
            match settings.packed {
                true => room,
                false => room.against(&[by_cpu.entries.len() as f64], 0.0),
            },
            Fact::cpu("workgroup that shades it", places.first().map(|place| (first + *place as u32) / CONSUMER_GROUP)),
        ];
        let facts = facts.into_iter().chain(bucket.filter(|_| is_exact).map(|bucket| Fact::cpu("bucket", bucket)));
        let step = Step::new("sorted list", facts.collect());
        match is_exact {
            true => vec![step],
            false => vec![step.note(
                "The order within a tile differs from run to run; with pixel_sort.deterministic the place is compared, too.",
            )],
        }
    }
}

/// Entries, regions and visibility values.
fn words(pixel: &StoryPixel<'_>) -> Option<[Vec<u32>; 3]> {
    Some([pixel.array("entries")?, pixel.array("regions")?, pixel.array("ids")?].map(all_words))
}

pub(super) fn mode(settings: &PixelSortSettings, world: &World) -> KeyMode {
    let material = |placed: &scene::world::MeshletInstance| world.instances[placed.instance as usize].material;
    match settings.key {
        Key::Meshlet => KeyMode::Meshlet,
        Key::Material => KeyMode::Material(world.meshlet_instances.iter().map(material).collect()),
    }
}

pub(super) fn cut(ids: &[u32], size: [u32; 2], tile: [u32; 2], is_valid: impl Fn(u32) -> bool) -> Image {
    let first = tile.map(|at| at * TILE);
    let part = [0, 1].map(|axis| (size[axis] - first[axis]).min(TILE));
    let id =
        |[x, y]: [u32; 2]| ids.get(((first[1] + y) * size[0] + first[0] + x) as usize).copied().unwrap_or_default();
    let valid = |id: u32| if is_valid(id) { id } else { 0 };
    Image { size: part, ids: pixels_of(part).map(|at| valid(id(at))).collect() }
}
