//! The picture of the crates in docs/house.md, drawn from their manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::{env, fs, path::Path};

const FILE: &str = "docs/pictures/crates.svg";
const ROW: f32 = 72.0;
const HEIGHT: f32 = 34.0;

type Uses = BTreeMap<String, BTreeSet<String>>;

/// What each crate uses of the others.
fn uses() -> Uses {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &Path| -> toml::Table { fs::read_to_string(file).unwrap().parse().unwrap() };
    let workspace = read(&root.join("Cargo.toml"));
    let all = workspace["workspace"]["dependencies"].as_table().unwrap();
    let folders: BTreeMap<&str, &str> = all
        .iter()
        .filter_map(|(name, entry)| Some((name.as_str(), entry.get("path")?.as_str()?)))
        .filter(|(_, folder)| folder.starts_with("src/"))
        .collect();
    let used = |manifest: &toml::Table| -> BTreeSet<String> {
        let names = manifest["dependencies"].as_table().unwrap().keys();
        names.filter(|name| folders.contains_key(name.as_str())).cloned().collect()
    };
    let mut all: Uses = folders
        .iter()
        .map(|(name, folder)| ((*name).to_owned(), used(&read(&root.join(folder).join("Cargo.toml")))))
        .collect();
    all.insert("meniscus".into(), used(&workspace));
    all
}

fn level(of: &str, uses: &Uses) -> usize {
    uses[of].iter().map(|below| level(below, uses) + 1).max().unwrap_or(0)
}

fn reaches(from: &str, to: &str, uses: &Uses) -> bool {
    uses[from].iter().any(|below| below == to || reaches(below, to, uses))
}

/// Rows from the program down to what uses no other crate; a line where no longer way leads to the same crate.
fn picture(uses: &Uses) -> String {
    let mut rows: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for name in uses.keys() {
        rows.entry(level(name, uses)).or_default().push(name);
    }
    let wide = |name: &str| 9.0 * name.len() as f32 + 18.0;
    let row = |names: &[&str]| {
        let gap = if names.len() < 5 { 80.0 } else { 14.0 };
        (names.iter().map(|name| wide(name) + gap).sum::<f32>() - gap, gap)
    };
    let width = rows.values().map(|names| row(names).0).fold(0.0, f32::max) + 20.0;
    let mut places = BTreeMap::new();
    for (level, names) in &rows {
        let (whole, gap) = row(names);
        let y = (rows.len() - 1 - level) as f32 * ROW + 10.0;
        let mut x = (width - whole) / 2.0;
        for name in names {
            places.insert(*name, [x, y]);
            x += wide(name) + gap;
        }
    }
    let height = (rows.len() - 1) as f32 * ROW + HEIGHT + 20.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for (name, below) in uses {
        for other in below.iter().filter(|other| !below.iter().any(|way| way != *other && reaches(way, other, uses))) {
            let middle = |name: &str| places[name][0] + wide(name) / 2.0;
            let [from, to] =
                [(middle(name), places[name.as_str()][1] + HEIGHT), (middle(other), places[other.as_str()][1])];
            let _ = writeln!(
                svg,
                "<path d=\"M{} {}C{} {} {} {} {} {}\" fill=\"none\" stroke=\"#8b98a5\"/>",
                from.0,
                from.1,
                from.0,
                from.1 + 24.0,
                to.0,
                to.1 - 24.0,
                to.0,
                to.1
            );
        }
    }
    for (name, [x, y]) in &places {
        let (wide, fill) = (
            wide(name),
            if uses["techniques"].contains(*name) && level(name, uses) + 1 == level("techniques", uses) {
                "#dcebf7"
            } else {
                "#eef1f4"
            },
        );
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{HEIGHT}\" rx=\"6\" fill=\"{fill}\" stroke=\"#5b6770\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#16202a\">{name}</text>",
            x + wide / 2.0,
            y + 22.0
        );
    }
    svg + "</svg>\n"
}

#[test]
fn the_picture_shows_the_crates() {
    let (file, drawn) = (Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE), picture(&uses()));
    if env::var_os("MENISCUS_ACCEPT").is_some() {
        fs::write(&file, &drawn).unwrap();
    }
    assert!(
        fs::read_to_string(&file).unwrap_or_default() == drawn,
        "MENISCUS_ACCEPT=1 cargo test --test house draws it again"
    );
}

/// Panels ask by requests of the instruments.
#[test]
fn panels_do_not_use_the_gpu() {
    assert!(!uses()["ui"].contains("gpu"));
}
