//! The pictures of the glass' inner workings, by name.

/// Name and meaning of each view, in the order that shaders/glass/view.frag knows.
pub const VIEWS: [(&str, &str); 16] = [
    ("distance", "Distance to the outline: blue inside, orange outside, a line each 10 px, white on the edge"),
    ("coverage", "Part of each pixel that the glass covers"),
    ("normal", "Direction of the surface, as red, green and blue"),
    ("height", "Height of the surface: black at the edge, white on the face"),
    ("offset", "Where the picture is fetched: hue is the direction, brightness the length up to 72 px"),
    ("footprint", "Pixels of the picture that one pixel shows: blue one, orange five and more"),
    ("fresnel", "Part of the surroundings that the bevel mirrors"),
    ("shadow", "Light that shadow and contour take, three times"),
    ("taps", "What each pixel costs: green the face, blue one look, orange a spectrum"),
    ("source_rb1", "Mode source: body mask"),
    ("source_rb2", "Mode source: inner border mask"),
    ("source_rb3", "Mode source: light band mask"),
    ("source_masks", "Mode source: the three masks in red, green and blue"),
    ("source_transition", "Mode source: part of the glass in the result"),
    ("source_field", "Mode source: the field F, its eighth root in five steps up to the outline"),
    ("source_lens", "Mode source: where the picture is fetched, x as red, y as green"),
];

/// Number of a view in the shader.
pub fn view_index(name: &str) -> Option<u32> {
    VIEWS.iter().position(|(known, _)| *known == name).map(|at| at as u32)
}
