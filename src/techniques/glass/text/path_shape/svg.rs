//! Filled paths of an SVG drawing: fills and strokes with their transforms and clips.

use super::filled::{Filled, Rule};
use kurbo::{BezPath, Point, Rect, Shape as _};
use usvg::tiny_skia_path::{Path, PathSegment, PathStroker};
use usvg::{ClipPath, ImageHrefResolver, Node, Options, Transform, Tree, roxmltree};

pub struct Drawing {
    pub filled: Vec<Filled>,
    /// `clip-path`, nested drawings, symbols, markers, the view box.
    pub clips: Vec<Vec<Filled>>,
    pub unsupported: Option<String>,
}

const UNSUPPORTED: [&str; 6] = ["text", "image", "foreignObject", "animate", "animateTransform", "animateMotion"];
const MOST_ELEMENTS: u32 = 100_000;

/// Other files are not opened.
pub fn read(text: &str) -> Result<Drawing, String> {
    let limits = roxmltree::ParsingOptions { allow_dtd: true, nodes_limit: MOST_ELEMENTS, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, limits)
        .map_err(|error| format!("{error}; expected an SVG file"))?;
    let unopened = ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let options = Options { image_href_resolver: unopened, ..Default::default() };
    let tree = Tree::from_xmltree(&document, &options).map_err(|error| format!("{error}; expected an SVG file"))?;
    let mut clips = Vec::new();
    let mut filled = collect(tree.root().children(), Transform::identity(), &[], &mut clips);
    if has_size(&document) {
        let frame = Rect::new(0.0, 0.0, tree.size().width().into(), tree.size().height().into());
        clips.push(vec![Filled { path: frame.to_path(0.0), rule: Rule::NonZero, clips: vec![] }]);
        for one in &mut filled {
            if !one.path.elements().is_empty() && frame.union(one.path.bounding_box()) != frame {
                one.clips.push(clips.len() - 1);
            }
        }
    }
    Ok(Drawing { filled, clips, unsupported: unsupported(&document, &tree) })
}

fn has_size(document: &roxmltree::Document) -> bool {
    let root = document.root_element();
    let is_length = |name| root.attribute(name).is_some_and(|length| !length.trim_end().ends_with('%'));
    root.has_attribute("viewBox") || (is_length("width") && is_length("height"))
}

fn unsupported(document: &roxmltree::Document, tree: &Tree) -> Option<String> {
    let count = |name: &str| document.descendants().filter(|node| node.tag_name().name() == name).count();
    let refers = document.descendants().filter(|node| {
        let href = node.attributes().find(|attribute| attribute.name() == "href");
        node.has_tag_name(("http://www.w3.org/2000/svg", "use"))
            && href.is_some_and(|href| !href.value().starts_with('#'))
    });
    let drawn = [
        ("mask", tree.masks().len()),
        ("filter", tree.filters().len()),
        ("pattern fill", tree.patterns().len()),
        ("use of another file", refers.count()),
        ("clip-path shape", document.descendants().map(clip_shapes).sum()),
    ];
    let all = UNSUPPORTED.map(|name| (name, count(name))).into_iter().chain(drawn);
    let parts: Vec<String> = all.filter(|(_, many)| *many > 0).map(|(name, many)| format!("{many} {name}")).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Clips that are no elements of the drawing, such as `circle(..)`: of a node's attributes, or of the rules in its text.
fn clip_shapes(node: roxmltree::Node<'_, '_>) -> usize {
    let is_shape = |value: &str| {
        let value = value.split([';', '}']).next().unwrap_or_default().trim();
        let link = value.strip_prefix("url(").map(|link| link.trim_start_matches([' ', '"', '\'']));
        value.contains('(') && !link.is_some_and(|link| link.starts_with('#'))
    };
    let is_sheet = node.is_element() && node.tag_name().name() == "style";
    let rules = if is_sheet { node.text() } else { node.attribute("style") };
    let values = rules.unwrap_or_default().split("clip-path").skip(1);
    let values = values.filter_map(|rest| rest.trim_start().strip_prefix(':'));
    values.chain(node.attribute("clip-path")).filter(|value| is_shape(value)).count()
}

fn collect(nodes: &[Node], transform: Transform, below: &[usize], clips: &mut Vec<Vec<Filled>>) -> Vec<Filled> {
    let mut filled = Vec::new();
    for node in nodes {
        match node {
            Node::Group(group) => {
                let inner = transform.pre_concat(group.transform());
                let own = group.clip_path().map(|clip| add_clip(clip, inner, clips));
                let below: Vec<usize> = below.iter().copied().chain(own).collect();
                filled.extend(collect(group.children(), inner, &below, clips));
            }
            Node::Path(path) if path.is_visible() => {
                let mut add = |of: Path, rule: Rule| {
                    let placed = of.transform(transform).map(|placed| bezier(&placed));
                    filled.extend(placed.map(|path| Filled { path, rule, clips: below.to_vec() }));
                };
                if let Some(fill) = path.fill().filter(|fill| fill.opacity().get() > 0.0) {
                    let is_odd = fill.rule() == usvg::FillRule::EvenOdd;
                    add(path.data().clone(), if is_odd { Rule::EvenOdd } else { Rule::NonZero });
                }
                if let Some(stroke) = path.stroke().filter(|stroke| stroke.opacity().get() > 0.0) {
                    let stroke = stroke.to_tiny_skia();
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
    filled
}

fn add_clip(clip: &ClipPath, transform: Transform, clips: &mut Vec<Vec<Filled>>) -> usize {
    let own: Vec<usize> = clip.clip_path().map(|own| add_clip(own, transform, clips)).into_iter().collect();
    let filled = collect(clip.root().children(), transform.pre_concat(clip.transform()), &own, clips);
    clips.push(filled);
    clips.len() - 1
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
