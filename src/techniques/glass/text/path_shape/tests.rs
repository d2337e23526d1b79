//! Tests of the reader of paths: drawings, and what is refused.

use super::*;
use base::fixtures::Folder;

/// Holes count against it.
fn area(shape: &PathShape) -> f32 {
    0.5 * shape.curves.iter().map(|[a, _, b]| a.perp_dot(*b)).sum::<f32>().abs()
}

fn read(text: &str) -> PathShape {
    PathShape::read(text).unwrap_or_else(|why| panic!("{why}"))
}

fn drawing(folder: &Folder, name: &str, inside: &str) -> String {
    let file = folder.0.join(name);
    let text = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{inside}</svg>"#);
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

#[test]
fn names_and_data_fill_what_they_say() {
    assert!((area(&read("M3 3h5v5h-5z")) - 4.0).abs() < 1e-4);
    assert!((area(&read("M0 -1A1 1 0 0 1 0 1A1 1 0 0 1 0 -1")) - std::f32::consts::PI).abs() < 1e-3);
    assert!((area(&read("M0 0h4v4h-4zM1 1h2v2h-2z")) - 4.0).abs() < 1e-4, "turns the same way: filled");
    assert!((area(&read("evenodd M0 0h4v4h-4zM1 1h2v2h-2z")) - 3.0).abs() < 1e-4);
    for (text, [low, high]) in
        [("star", [1.5, 2.2]), ("star 9 0.9", [2.2, 3.0]), ("polygon 64", [3.0, 3.15]), ("heart", [2.0, 3.0])]
    {
        let found = area(&read(text));
        assert!((low..high).contains(&found), "{text}: {found}");
    }
}

#[test]
fn drawings_are_read_with_their_transforms_strokes_and_rules() {
    let folder = Folder::new("path-shapes");
    let square = drawing(
        &folder,
        "a.svg",
        r#"<g transform="rotate(45) scale(2 1)"><rect x="9" y="-17" width="9" height="18"/></g>"#,
    );
    // Turned by 45 degrees it fills half of its box.
    assert!((area(&read(&square)) - 2.0).abs() < 1e-3);
    let ring =
        drawing(&folder, "b.SVG", r#"<circle cx="20" cy="30" r="9" fill="none" stroke="red" stroke-width="2"/>"#);
    let expected = std::f32::consts::PI * (1.0 - 0.64);
    assert!((area(&read(&ring)) - expected).abs() < 2e-3, "{}", area(&read(&ring)));
    let hidden = r#"<rect width="99" height="99" fill="none"/><rect width="9" height="9" visibility="hidden"/><rect x="40" width="5" height="5"/>"#;
    assert!((area(&read(&drawing(&folder, "c.svg", hidden))) - 4.0).abs() < 1e-4);
    // One turns the other way: both are filled.
    let both = r#"<path d="M0 0h4v4h-4z"/><path d="M2 2v4h4v-4z"/>"#;
    assert!((area(&read(&drawing(&folder, "d.svg", both))) - 28.0 / 9.0).abs() < 1e-4);
    let reused = r##"<defs><path id="p" d="M0 0h2v2h-2z"/></defs><use href="#p"/><use href="#p" x="6"/>"##;
    assert!((area(&read(&drawing(&folder, "e.svg", reused))) - 0.5).abs() < 1e-4);
}

#[test]
fn drawings_end_where_their_clips_and_view_boxes_do() {
    let folder = Folder::new("path-clips");
    let quarter = std::f32::consts::FRAC_PI_4;
    // Its upper left quarter remains, in a box of 2 by 2.
    let circle = |scale: u32| format!(r#"<circle cx="{0}" cy="{0}" r="{0}"/>"#, 20 * scale);
    let nested = format!(r#"<svg x="20" y="30" width="20" height="20">{}</svg>"#, circle(1));
    let scaled = format!(r#"<svg x="5" y="5" width="20" height="20" viewBox="0 0 40 40">{}</svg>"#, circle(2));
    let symbol = format!(r##"<symbol id="s">{}</symbol><use href="#s" x="9" width="20" height="20"/>"##, circle(1));
    let marker = format!(
        r##"<marker id="m" markerWidth="20" markerHeight="20" markerUnits="userSpaceOnUse">{}</marker>
        <path d="M40 40h1" marker-start="url(#m)" fill="none"/>"##,
        circle(1)
    );
    let element = format!(
        r##"<clipPath id="c"><path d="M0 0h20v20h-20z"/></clipPath><g clip-path="url(#c)" transform="translate(30 30)">{}</g>"##,
        circle(1)
    );
    let both = format!(
        r##"<clipPath id="d"><path d="M0 0h20v90h-20z"/></clipPath>
        <clipPath id="c" clip-path="url(#d)"><path d="M0 0h90v20h-90z"/></clipPath>
        <g transform="translate(30 30) rotate(90)"><g clip-path="url(#c)">{}</g></g>"##,
        circle(1)
    );
    let view_box = r#"<circle cx="100" cy="100" r="20"/>"#;
    for (name, inside) in [
        ("nested", &*nested),
        ("scaled", &scaled),
        ("symbol", &symbol),
        ("marker", &marker),
        ("element", &element),
        ("both", &both),
        ("view box", view_box),
    ] {
        let shape = read(&drawing(&folder, &format!("{name}.svg"), inside));
        assert!((area(&shape) - 4.0 * quarter).abs() < 2e-3 && shape.note.is_none(), "{name}: {}", area(&shape));
    }
    // Visible overflow is shown; without a size a drawing has no end.
    let visible = nested.replace("<svg", "<svg overflow=\"visible\"");
    assert!((area(&read(&drawing(&folder, "visible.svg", &visible))) - 4.0 * quarter).abs() < 2e-3);
    let endless = folder.0.join("endless.svg");
    std::fs::write(&endless, r#"<svg xmlns="http://www.w3.org/2000/svg"><circle r="20"/></svg>"#).unwrap();
    assert!((area(&read(&endless.display().to_string())) - 4.0 * quarter).abs() < 2e-3);
    // What a clip hides neither counts for the size nor makes it coarse.
    let far = r#"<path d="M4 4h16v16H4z"/><path d="M-1e6 60h9e5v80z"/><path d="M-9e3 8H20v4H-9e3z"/>"#;
    let square = read(&drawing(&folder, "far.svg", far));
    assert!((area(&square) - 2.72).abs() < 1e-4, "{}", area(&square));
}

#[test]
fn what_is_not_supported_is_one_line() {
    let folder = Folder::new("path-notes");
    let some = r##"<text>Hi</text><image href="../secret.png"/><use href="other.svg#a"/>
        <pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M0 0h2v2z"/></pattern>
        <rect width="9" height="9" fill="url(#p)"/>"##;
    let note = read(&drawing(&folder, "a.svg", some)).note.unwrap();
    assert!(
        note.ends_with("not supported: 1 text, 1 image, 1 pattern fill, 1 use of another file") && !note.contains('\n'),
        "{note}"
    );
    assert_eq!(read("heart").note, None);
    let circle = |attributes: &str| format!(r#"<circle cx="50" cy="50" r="50" {attributes}/>"#);
    let sheet = format!("<style>.a {{ fill: red; clip-path : inset(4px) }}</style>{}", circle(r#"class="a""#));
    for (inside, is_said) in [
        (circle(r#"style="clip-path:circle(20px at 50px 50px)""#), true),
        (circle(r#"clip-path="ellipse(9px 5px)""#), true),
        (circle(r#"clip-path="url(other.svg#c)""#), true),
        (sheet, true),
        (circle(r#"style="fill: url(#a) red; clip-path: none; stroke: none""#), false),
        (
            format!(
                r#"<clipPath id="c"><rect width="60" height="60"/></clipPath>{}"#,
                circle(r#"clip-path="url('#c')""#)
            ),
            false,
        ),
    ] {
        let note = read(&drawing(&folder, "clip.svg", &inside)).note;
        assert_eq!(note.is_some_and(|note| note.ends_with("not supported: 1 clip-path shape")), is_said, "{inside}");
    }
    let text = drawing(&folder, "text.svg", "<text>Hi</text>");
    let why = PathShape::read(&text).err().unwrap();
    assert!(why.contains("not supported: 1 text; it fills nothing") && why.contains("expected"), "{why}");
}

#[test]
fn what_cannot_be_drawn_is_refused_in_one_line() {
    let folder = Folder::new("path-refused");
    let outside = drawing(&folder, "outside.svg", r#"<path d="M200 0h9v9z"/>"#);
    let cut = folder.0.join("cut.svg");
    std::fs::write(&cut, r#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"#).unwrap();
    let binary = folder.0.join("binary.svg");
    std::fs::write(&binary, [0xff, 0xfe, 0, 1]).unwrap();
    let huge = folder.0.join("huge.svg");
    std::fs::File::create(&huge).unwrap().set_len(MOST_BYTES + 1).unwrap();
    let crossing = (0..1201).map(|at| glam::DVec2::from_angle(2.6 * f64::from(at)).to_array());
    let crossing: Vec<String> = crossing.map(|[x, y]| format!("{x} {y}")).collect();
    let crossing = drawing(&folder, "crossing.svg", &format!(r#"<path d="M{}Z"/>"#, crossing.join(" ")));
    let many = drawing(&folder, "many.svg", &r#"<circle cx="9" cy="9" r="9"/>"#.repeat(900));
    let paths = [cut, binary, huge, folder.0.clone().join("missing.svg")].map(|file| file.display().to_string());
    let data = [
        "",
        "M",
        "M0 0L1",
        "M0 0L1 0",
        "M0 0",
        "hello",
        "star 2",
        "star 5 7",
        "star 5 .5 1",
        "polygon 99",
        "M0 0L1e400 0 1 1",
        "M1e300 0L0 1e300 0 0",
    ];
    for text in paths.iter().map(String::as_str).chain(data).chain([&*outside, &*crossing, &*many]) {
        let why = PathShape::read(text).err().unwrap_or_else(|| panic!("{text} is read"));
        assert!(why.starts_with("glass.path ") && why.contains("expected") && !why.contains('\n'), "{why}");
    }
}

#[test]
fn nothing_that_can_be_typed_panics() {
    // A small grid: shared edges, tangents, turns of no area.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for _ in 0..2000 {
        let mut text = String::from(if next(2) == 0 { "evenodd M1 1" } else { "M1 1" });
        for _ in 0..next(12) {
            let (letter, count) = [("L", 2), ("Q", 4), ("C", 6), ("M", 2), ("Z", 0), ("T", 2)][next(6) as usize];
            text += letter;
            for _ in 0..count {
                text += &format!(" {}", next(6));
            }
        }
        if let Ok(shape) = PathShape::read(&text) {
            assert!(shape.curves.iter().flatten().all(|p| p.abs().max_element() <= 1.0 + 1e-5), "{text}");
        }
    }
}
