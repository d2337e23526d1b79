//! Tests of the static site: every link of every page leads somewhere, every figure and every view has its picture, and what is missing is
//! reported.

#[path = "../examples/site/check.rs"]
mod check;
#[path = "../examples/site/html.rs"]
mod html;
#[path = "../examples/site/pages.rs"]
mod pages;

use base::markdown::{Block, blocks};
use std::fs;
use std::path::{Path, PathBuf};
use techniques::INFOS;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The figures of a page.
fn figures_of(page: &str) -> Vec<&str> {
    let name = |block| if let Block::Figure(name) = block { Some(name) } else { None };
    blocks(page).into_iter().filter_map(name).collect()
}

/// A folder with a file for each figure of the pages, as `scripts/docs` draws them.
fn figures(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("meniscus-site-{}-{name}", std::process::id()));
    for info in INFOS {
        let names = figures_of(info.doc);
        if names.is_empty() {
            continue;
        }
        let of = folder.join(info.id);
        fs::create_dir_all(&of).unwrap();
        let lines: String = names.iter().enumerate().map(|(at, name)| format!("{at:02} {name}\n")).collect();
        fs::write(of.join("steps.txt"), lines).unwrap();
        names.iter().enumerate().for_each(|(at, _)| fs::write(of.join(format!("{at:02}.png")), [at as u8]).unwrap());
    }
    folder
}

#[test]
fn every_link_resolves_and_every_figure_is_there() {
    let figures = figures("whole");
    fs::write(figures.join("lens.html"), "<img src=\"data:image/png;base64,AA==\">").unwrap();
    let files = pages::Site::new(Path::new(ROOT), &figures).files().unwrap();
    fs::remove_dir_all(&figures).unwrap();
    assert_eq!(check::problems(&files), Vec::<String>::new());
    assert!(files.contains_key("lens.html"));
    assert!(String::from_utf8_lossy(&files["index.html"]).contains("<iframe src=\"lens.html\""));
    let mut count = 0;
    for info in INFOS.iter().filter(|info| Path::new(ROOT).join(format!("docs/{}.md", info.id)).exists()) {
        let page = String::from_utf8(files[&format!("{}.html", info.id)].clone()).unwrap();
        assert!(page.contains(&format!("<title>{}", html::escaped(info.title))), "{}", info.id);
        for (at, figure) in figures_of(info.doc).iter().enumerate() {
            assert!(page.contains(&format!("src=\"figures/{}-{at:02}.png\"", info.id)), "{}: {figure}", info.id);
            count += 1;
        }
        let index = String::from_utf8(files["index.html"].clone()).unwrap();
        assert!(index.contains(&format!("href=\"{}.html\"", info.id)), "{} is in no list", info.id);
    }
    assert!(count > 12, "{count} figures");
    let settings = String::from_utf8(files["settings.html"].clone()).unwrap();
    assert!(settings.contains("id=\"downsample.ratio\">Reduction <code>"), "names as in the panel");
    let page = String::from_utf8(files["downsample.html"].clone()).unwrap();
    assert!(page.contains("href=\"settings.html#downsample.method\"") && page.contains(">Lanczos 3</a>"));
    assert!(page.contains("src=\"views/downsample-read.png\""));
    let nested = String::from_utf8(files["measured/downsample.html"].clone()).unwrap();
    assert!(nested.contains("href=\"../style.css\""));
}

#[test]
fn what_is_missing_is_reported() {
    let none = std::env::temp_dir().join("meniscus-site-without-figures");
    let why = pages::Site::new(Path::new(ROOT), &none).files().unwrap_err().to_string();
    assert!(why.contains("docs/glass.md: the steps of glass have no figure \"Refract\""), "{why}");
    let page =
        "<a href=\"b.html\">b</a> <a href=\"sub/c.html#there\">c</a> <img src=\"../d.png\"> <a href=\"#here\">e</a>";
    let mut files = check::Files::new();
    files.insert("a.html".into(), page.into());
    files.insert("sub/c.html".into(), "<p id=\"else\">".into());
    let wrong = check::problems(&files);
    assert_eq!(
        wrong,
        [
            "a.html: b.html names no file of the site",
            "a.html: sub/c.html#there names no place in sub/c.html",
            "a.html: #here names no place in a.html",
            "a.html: ../d.png names no file of the site",
        ]
    );
}
