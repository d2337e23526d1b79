//! Filled paths of an SVG drawing: fills and strokes with their transforms.

use super::filled::{Filled, Rule};
use kurbo::{BezPath, Point};
use usvg::tiny_skia_path::{Path, PathSegment, PathStroker};
use usvg::{ImageHrefResolver, Node, Options, Tree, roxmltree};

/// What an SVG drawing fills.
pub struct Drawing {
    /// Its paths, in its own pixels.
    pub filled: Vec<Filled>,
    /// What it has that is not supported.
    pub unsupported: Option<String>,
}

/// Elements that have no outline here, or change one in a way that is not followed.
const UNSUPPORTED: [&str; 9] =
    ["text", "image", "foreignObject", "mask", "clipPath", "filter", "animate", "animateTransform", "animateMotion"];
/// Most elements of a file.
const MOST_ELEMENTS: u32 = 100_000;

/// Reads an SVG document. Files that it refers to are not opened.
///
/// # Errors
/// One line: why it cannot be read.
pub fn read(text: &str) -> Result<Drawing, String> {
    let limits = roxmltree::ParsingOptions { allow_dtd: true, nodes_limit: MOST_ELEMENTS, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, limits)
        .map_err(|error| format!("{error}; expected an SVG file"))?;
    let unopened = ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let options = Options { image_href_resolver: unopened, ..Default::default() };
    let tree = Tree::from_xmltree(&document, &options).map_err(|error| format!("{error}; expected an SVG file"))?;
    let mut filled = Vec::new();
    collect(tree.root().children(), &mut filled);
    Ok(Drawing { filled, unsupported: unsupported(&document) })
}

fn unsupported(document: &roxmltree::Document) -> Option<String> {
    let count = |name: &&str| document.descendants().filter(|node| node.tag_name().name() == *name).count();
    let of = |name: &&str| Some(count(name)).filter(|many| *many > 0).map(|many| format!("{many} {name}"));
    let refers = document.descendants().filter(|node| {
        let href = node.attributes().find(|attribute| attribute.name() == "href");
        node.has_tag_name(("http://www.w3.org/2000/svg", "use"))
            && href.is_some_and(|href| !href.value().starts_with('#'))
    });
    let refers = Some(refers.count()).filter(|many| *many > 0).map(|many| format!("{many} use of another file"));
    let parts: Vec<String> = UNSUPPORTED.iter().filter_map(of).chain(refers).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn collect(nodes: &[Node], filled: &mut Vec<Filled>) {
    for node in nodes {
        match node {
            Node::Group(group) => collect(group.children(), filled),
            Node::Path(path) if path.is_visible() => {
                let transform = path.abs_transform();
                let mut add = |of: Path, rule: Rule| {
                    let placed = of.transform(transform).map(|placed| bezier(&placed));
                    filled.extend(placed.map(|path| Filled { path, rule }));
                };
                if let Some(fill) = path.fill().filter(|fill| fill.opacity().get() > 0.0) {
                    let is_odd = fill.rule() == usvg::FillRule::EvenOdd;
                    add(path.data().clone(), if is_odd { Rule::EvenOdd } else { Rule::NonZero });
                }
                if let Some(stroke) = path.stroke().filter(|stroke| stroke.opacity().get() > 0.0) {
                    let stroke = stroke.to_tiny_skia();
                    // As for a picture 2048 pixels large.
                    let side = path.abs_stroke_bounding_box();
                    let fine = 2048.0 / side.width().max(side.height()).max(1e-6);
                    let fine = fine * PathStroker::compute_resolution_scale(&transform);
                    let dashed = stroke.dash.as_ref().and_then(|dash| path.data().dash(dash, fine));
                    let line = dashed.as_ref().unwrap_or(path.data());
                    if let Some(outline) = line.stroke(&stroke, fine) {
                        add(outline, Rule::NonZero);
                    }
                }
            }
            Node::Path(_) | Node::Image(_) | Node::Text(_) => {}
        }
    }
}

fn bezier(path: &Path) -> BezPath {
    let at = |p: usvg::tiny_skia_path::Point| Point::new(p.x.into(), p.y.into());
    let mut bezier = BezPath::new();
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(a) => bezier.move_to(at(a)),
            PathSegment::LineTo(a) => bezier.line_to(at(a)),
            PathSegment::QuadTo(a, b) => bezier.quad_to(at(a), at(b)),
            PathSegment::CubicTo(a, b, c) => bezier.curve_to(at(a), at(b), at(c)),
            PathSegment::Close => bezier.close_path(),
        }
    }
    bezier
}
