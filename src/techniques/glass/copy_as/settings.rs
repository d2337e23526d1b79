//! Settings of a copied shader as named constants: the fields of the program's uniforms that its text reads.

use super::tokens::{closing, is_blank, is_word, tokens};
use crate::frost::blur::SHARP_SIGMA;
use crate::lens::shape::Lens;
use crate::passes::uniforms::{GlassBlock, GpuLens};
use crate::passes::variants::shader_optics;
use crate::settings::Glass;
use glam::Vec2;
use gpu::GpuStruct;
use std::collections::BTreeSet;

/// Pixels; they follow the size of the picture. For those of a lens see [`lens_function`].
pub(super) const LENGTHS: [&str; 6] = ["melt", "height", "gap", "rim_width", "shadow_sigma", "shadow_drop"];

const COMMENTS: [(&str, &str); 33] = [
    ("adaptive", "how strongly tone and rim follow the brightness of the picture below, 0 to 1"),
    ("axis", "direction of the light on the screen, y down"),
    ("body", "what is left of light through the whole glass"),
    ("body_dark", "over dark pictures, of encoded values: factor of the luma, added to it, factor of the colours"),
    ("body_light", "the same over bright pictures"),
    ("body_opens", "1 if the body opens at the edge, else 0"),
    ("body_log2", "the same as powers of 2"),
    ("caustic", "light focused in the bevel opposite the light"),
    ("contour", "darkness of the line around the glass"),
    ("count", "lenses"),
    ("displacement", "way of the picture at the edge, for each pixel of the bevel's width"),
    ("eta", "index of refraction"),
    ("fire", "how far lights split into colours"),
    ("frost", "blur of the glass, sigma in pixels"),
    ("frost_light", "the same over bright pictures"),
    ("gap", "between glass and picture, pixels"),
    ("gloss", "highlight on the lit side of the bevel"),
    ("halfway", "half-way vector between light and eye: along the axis, and up"),
    ("height", "height of the bevel, pixels"),
    ("light_color", "colour of the light, linear"),
    ("magnify", "magnification of the face"),
    ("melt", "distance below which lenses merge, pixels"),
    ("mirror", "surroundings reflected in the bevel"),
    ("profile", "power of the bevel's profile: 2 is a quarter circle"),
    ("rim", "strength of the rim light"),
    ("rim_width", "its width, pixels"),
    ("saturation", "of what is seen through the glass"),
    ("shadow", "darkness of the drop shadow"),
    ("shadow_drop", "its way down, pixels"),
    ("shadow_sigma", "its softness, pixels"),
    ("spread", "half the spread of the index over the visible colours"),
    ("taps", "most samples of a pixel of the bevel"),
    ("tint", "colour of the glass, linear"),
];

/// A matrix of two rows in a structure is refused by naga: its columns are a vec4.
const FRAME: &str = "unit_from_window";

struct Declared {
    ty: String,
    name: String,
}

fn declared(text: &str, head: &str) -> Result<Vec<Declared>, String> {
    let tokens: Vec<&str> = tokens(text).into_iter().filter(|token| !is_blank(token)).collect();
    let head: Vec<&str> = head.split(' ').collect();
    let at = tokens.windows(head.len()).position(|window| window == head.as_slice());
    let open = at.map(|at| at + head.len() - 1).ok_or_else(|| format!("no {}", head.join(" ")))?;
    let inside = &tokens[open + 1..closing(&tokens, open)?];
    let fields = inside.split(|token| *token == ";").filter(|field| field.len() >= 2);
    Ok(fields.map(|field| Declared { ty: field[0].into(), name: field[1].into() }).collect())
}

fn value(ty: &str, bytes: &[u8]) -> Result<String, String> {
    let words = bytes.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]);
    let floats = || words.clone().map(|word| format!("{:?}", f32::from_le_bytes(word))).collect::<Vec<_>>().join(", ");
    let uints = || words.clone().map(|word| format!("{}u", u32::from_le_bytes(word))).collect::<Vec<_>>().join(", ");
    Ok(match ty {
        "float" => floats(),
        "uint" => uints(),
        "vec2" | "vec3" | "vec4" | "mat2" => format!("{ty}({})", floats()),
        "uvec2" | "uvec3" | "uvec4" => format!("{ty}({})", uints()),
        _ => return Err(format!("{ty}: expected a scalar, a vector or a mat2")),
    })
}

fn bytes_of<'a, T: GpuStruct>(name: &str, all: &'a [u8]) -> Result<&'a [u8], String> {
    let field = T::FIELDS.iter().find(|field| field.name == name).ok_or_else(|| format!("{}: no {name}", T::NAME))?;
    Ok(&all[field.offset..field.offset + field.size])
}

fn constant_name(field: &str) -> String {
    format!("GLASS_{}", field.to_uppercase())
}

pub(super) struct Body {
    pub text: String,
    fields: BTreeSet<String>,
    /// Every name after a dot.
    members: BTreeSet<String>,
}

impl Body {
    /// `glass.field` becomes its constant, times `unit` if a length; without `lengths` it stays.
    pub fn new(glsl: &str, lengths: Option<&[&str]>) -> Result<Self, String> {
        let all = tokens(glsl);
        let (mut text, mut fields, mut members) = (String::new(), BTreeSet::new(), BTreeSet::new());
        let mut at = 0;
        while at < all.len() {
            let follows = at > 0 && all[at - 1] == ".";
            if follows && is_word(all[at]) {
                members.insert(all[at].to_owned());
            }
            if let ["lens", ".", FRAME] = all[at..all.len().min(at + 3)] {
                members.insert(FRAME.to_owned());
                text += FRAME;
                text += "(lens)";
                at += 3;
                continue;
            }
            if all[at] != "glass" || follows || all.get(at + 1) != Some(&".") {
                text += all[at];
                at += 1;
                continue;
            }
            let name = all[at + 2];
            at += 3;
            fields.insert(name.to_owned());
            text += &match (lengths, constant_name(name)) {
                (None, _) => format!("glass.{name}"),
                (Some(lengths), constant) if lengths.contains(&name) => format!("({constant} * unit)"),
                (_, constant) => constant,
            };
        }
        Ok(Self { text, fields, members })
    }
}

pub(super) struct Value {
    pub ty: String,
    pub name: String,
    pub glsl: String,
    /// JavaScript: a number, or a list of some.
    pub script: String,
    pub comment: Option<&'static str>,
}

/// The fields of the uniforms that the text reads, in their order.
pub(super) fn values_of(
    read: &dyn Fn(&str) -> Result<String, String>,
    body: &Body,
    glass: &Glass,
) -> Result<Vec<Value>, String> {
    let all = declared(&format!("{{{}}}", read("glass/values.glsl")?), "{")?;
    let used = all.into_iter().filter(|field| body.fields.contains(&field.name));
    let with_value = |Declared { ty, name }: Declared| {
        let glsl = value(&ty, bytes_of::<GlassBlock>(&name, bytemuck::bytes_of(&glass.block))?)?;
        let script = match glsl.split_once('(') {
            Some((_, inner)) => format!("[{}]", inner.trim_end_matches(')')),
            None => glsl.trim_end_matches('u').to_owned(),
        };
        let comment = COMMENTS.iter().find(|(field, _)| *field == name).map(|(_, comment)| *comment);
        Ok(Value { ty, name, glsl, script, comment })
    };
    used.map(with_value).collect()
}

pub(super) struct Blurs {
    pub frost_taps: f32,
    /// Pixels.
    pub level_step: f32,
}

pub(super) fn is_frosted(glass: &Glass) -> bool {
    glass.block.frost_light > SHARP_SIGMA
}

/// Clear glass keeps its half pixel.
pub(super) fn lengths(glass: &Glass) -> Vec<&'static str> {
    let of_frost = ["frost", "frost_light"].into_iter().filter(|_| is_frosted(glass));
    LENGTHS.into_iter().chain(of_frost).collect()
}

/// `size`: of the picture for which the lengths are; `read`: text of a shader file.
pub(super) fn settings(
    read: &dyn Fn(&str) -> Result<String, String>,
    body: &Body,
    (glass, size): (&Glass, Vec2),
    Blurs { frost_taps, level_step }: &Blurs,
) -> Result<String, String> {
    let mut out = String::new();
    let mut line = |text: String, comment: Option<&str>| {
        out += &text;
        out += &comment.map_or_else(String::new, |comment| format!(" // {comment}"));
        out.push('\n');
    };
    let block = &glass.block;
    line(
        format!("const vec2 SIZE = vec2({:?}, {:?});", size.x, size.y),
        Some("picture that the lengths are for, pixels"),
    );
    line("const bool PICTURE_IS_LINEAR = false;".into(), Some("true: the texture's format decodes sRGB"));
    line(format!("const bool IS_FROSTED = {};", is_frosted(glass)), None);
    line(format!("const float FROST_TAPS = {frost_taps:?};"), Some("places of the blur, in each direction"));
    let step = "largest distance of the pixels of which mip levels are summed: 1 is exact, 4 a sixteenth of the reads";
    line(format!("const float LEVEL_STEP = {level_step:?};"), Some(step));
    line(
        format!("const uint OPTICS = {}u;", shader_optics(glass)),
        Some("0: Snell's law; else by the distance, with one frost or two"),
    );
    line(format!("const bool ADAPTS = {};", glass.needs_brightness), Some("to the brightness below a lens"));
    let bright = glass.lenses.lens.first().map_or(0.5, |lens| lens.bright);
    line(format!("const float UNMEASURED = {bright:?};"), Some("brightness below a lens, if it does not adapt"));
    line(format!("const uint MAGNIFIES = {}u;", u32::from(block.magnify != 1.0)), Some("1: the face magnifies"));
    for Value { ty, name, glsl, comment, .. } in values_of(read, body, glass)? {
        line(format!("const {ty} {} = {glsl};", constant_name(&name)), comment);
    }
    out += "\nvec2 size; // of what is drawn, pixels\n";
    out += "float unit; // pixels of it for each pixel of SIZE\n";
    out += "vec2 shift; // way of all lenses, pixels\n";
    Ok(out)
}

/// The fields of a lens that the text reads, and their declaration.
fn lens_struct(read: &dyn Fn(&str) -> Result<String, String>, body: &Body) -> Result<(Vec<Declared>, String), String> {
    let mut fields = declared(&read("glass/lens.glsl")?, "struct Lens {")?;
    fields.retain(|field| body.members.contains(&field.name));
    fields.iter_mut().filter(|field| field.name == FRAME).for_each(|field| field.ty = "vec4".into());
    let mut out = "struct Lens {\n".to_owned();
    out.extend(fields.iter().map(|field| format!("    {} {};\n", field.ty, field.name)));
    out += "};\n\nmat2 unit_from_window(Lens lens) {\n    \
            return mat2(lens.unit_from_window.xy, lens.unit_from_window.zw);\n}\n\n";
    Ok((fields, out))
}

/// Lenses in a buffer.
pub(super) fn lens_buffer(read: &dyn Fn(&str) -> Result<String, String>, body: &Body) -> Result<String, String> {
    let (_, out) = lens_struct(read, body)?;
    let buffer = "layout(std430, set = 0, binding = 5) readonly buffer Lenses {\n    Lens lens[];\n} lenses;\n\n\
                  Lens lens_at(uint i) {\n    return lenses.lens[i];\n}\n";
    Ok(out + buffer)
}

pub(super) fn lens_function(
    read: &dyn Fn(&str) -> Result<String, String>,
    body: &Body,
    lenses: &[Lens],
) -> Result<String, String> {
    let (fields, mut out) = lens_struct(read, body)?;
    out += "/// Center, pixels; from the window to the frame in which the corners' half axes are 1; half size of the box between\n\
            /// the corners there; exponent of the corners; width of the bevel, pixels; brightness below it; its container.\nLens lens_at(uint i) {\n";
    for (index, lens) in GpuLens::of(lenses.iter()).iter().enumerate() {
        let bytes = bytemuck::bytes_of(lens);
        let values = fields.iter().map(|field| value(&field.ty, bytes_of::<GpuLens>(&field.name, bytes)?));
        let values = values.collect::<Result<Vec<_>, _>>()?.join(", ");
        out += &match index {
            0 => format!("    Lens lens = Lens({values});\n"),
            _ => format!("    if (i == {index}u) {{\n        lens = Lens({values});\n    }}\n"),
        };
    }
    out += "    lens.center = (lens.center - 0.5 * SIZE) * unit + 0.5 * size + shift;\n    \
            lens.unit_from_window = lens.unit_from_window * (1.0 / unit);\n    lens.bevel = lens.bevel * unit;\n    \
            return lens;\n}\n";
    Ok(out)
}
