//! Circles of imports between files: re-exports through `mod.rs` are followed to the file of the item; test code does not count.

use crate::source::{Source, What, module_of};
use std::collections::{BTreeMap, BTreeSet};

type Place = Vec<String>;

/// Modules that have files, and what they re-export.
struct Modules<'a> {
    files: BTreeMap<Place, &'a str>,
    /// By module and name: the place.
    reexports: BTreeMap<(Place, String), Place>,
}

impl<'a> Modules<'a> {
    fn of(sources: &'a [Source]) -> Self {
        let files: BTreeMap<_, _> =
            sources.iter().map(|source| (module_of(&source.path), source.path.as_str())).collect();
        let mut modules = Self { files, reexports: BTreeMap::new() };
        for source in sources {
            let module = module_of(&source.path);
            for (place, name) in source.named.iter().filter_map(|named| Some((&named.what, named.reexported.as_ref()?)))
            {
                if let Some(place) = modules.place(&module, place) {
                    modules.reexports.insert((module.clone(), name.clone()), place);
                }
            }
        }
        modules
    }

    /// The place that a name in this module means, from the root on.
    fn place(&self, module: &[String], what: &What) -> Option<Place> {
        match what {
            What::Place(place) => Some(place.clone()),
            // A module of this one.
            What::Path(path) => {
                let child: Place = module.iter().chain(path.first()).cloned().collect();
                self.files.contains_key(&child).then(|| module.iter().chain(path).cloned().collect())
            }
            _ => None,
        }
    }

    /// The file that holds the item at a place.
    fn file(&self, place: &[String], depth: usize) -> Option<&'a str> {
        // The root declares modules and has macros.
        let length = (1..=place.len()).rev().find(|length| self.files.contains_key(&place[..*length]))?;
        let (module, rest) = place.split_at(length);
        let through = rest.first().and_then(|name| self.reexports.get(&(module.to_vec(), name.clone())));
        match through {
            Some(target) if depth < 8 => {
                let whole: Place = target.iter().chain(&rest[1..]).cloned().collect();
                self.file(&whole, depth + 1)
            }
            _ => self.files.get(module).copied(),
        }
    }
}

/// The files that each file imports from.
fn imports(sources: &[Source]) -> BTreeMap<&str, BTreeSet<&str>> {
    let modules = Modules::of(sources);
    let of = |source: &Source| {
        let used = source.named.iter().filter(|named| !named.in_test && named.reexported.is_none());
        let places = used.filter_map(|named| modules.place(&module_of(&source.path), &named.what));
        let files = places.filter_map(|place| modules.file(&place, 0)).filter(|file| *file != source.path);
        files.collect::<BTreeSet<_>>()
    };
    sources.iter().map(|source| (source.path.as_str(), of(source))).collect()
}

/// Sets of files of which each imports from each other, directly or through others of the set.
pub fn circles(sources: &[Source]) -> BTreeSet<BTreeSet<&str>> {
    let imports = imports(sources);
    let reachable = |from: &str| {
        let (mut seen, mut next) =
            (BTreeSet::new(), imports.get(from).into_iter().flatten().copied().collect::<Vec<_>>());
        while let Some(file) = next.pop() {
            if seen.insert(file) {
                next.extend(imports.get(file).into_iter().flatten());
            }
        }
        seen
    };
    let all: BTreeMap<&str, BTreeSet<&str>> = imports.keys().map(|file| (*file, reachable(file))).collect();
    let mut circles = BTreeSet::new();
    for (file, reached) in all.iter().filter(|(file, reached)| reached.contains(*file)) {
        circles.insert(reached.iter().copied().filter(|other| all[other].contains(file)).collect());
    }
    circles
}

#[test]
fn a_circle_is_found_through_reexports_and_children() {
    let texts = [
        ("a/mod.rs", "mod b; mod c; pub use b::Thing; use c::run;"),
        ("a/b.rs", "use super::c::Other; pub struct Thing;"),
        ("a/c.rs", "use super::Thing; #[cfg(test)] mod tests { use crate::d::end; } pub struct Other; pub fn run() {}"),
        ("d.rs", "use crate::a::{Thing, c};"),
        ("e/mod.rs", "mod f; pub const WIDE: u32 = 1; fn go() { f::go(); }"),
        ("e/f.rs", "use super::WIDE; pub fn go() {}"),
        ("g/mod.rs", "mod h; pub use h::End;"),
        ("g/h.rs", "use crate::a::Thing; pub struct End;"),
    ];
    let sources = texts.map(|(path, text)| Source::read(path, text, false).unwrap());
    let expected = [["a/b.rs", "a/c.rs"], ["e/f.rs", "e/mod.rs"]].map(BTreeSet::from);
    assert_eq!(circles(&sources), BTreeSet::from(expected));
}
