//! The present glass as a fragment shader of its own, for other programs: its settings are constants, its code is that of the program's
//! shaders.
//!
//! `shaders/glass/standalone.glsl` includes what the lens is drawn with. Two files differ from the program's: the
//! picture is read without a mip chain, and the brightness below a lens is measured in the pixel. A page has passes for both.
//! Other languages are the same text, translated by naga.

mod assemble;
mod page;
mod settings;
#[cfg(test)]
mod tests;
mod tokens;
mod translate;

use super::lens::shape::Lenses;
use super::passes::stack::GlassStack;
use super::settings::{Glass, GlassSettings, LightFrom, Mode, SceneLight};
use gpu::{ShaderFolder, embedded_text};

use glam::Vec2;
pub use page::PAGE_PICTURES;
use settings::{Blurs, Body};
use translate::Target;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderLanguage {
    /// `mainImage`, GLSL ES 3.00.
    ShaderToy,
    /// GLSL 4.50.
    Glsl,
    Wgsl,
    Metal,
    Hlsl,
    /// GLSL ES 3.00.
    Es,
    /// HTML with WGSL.
    Page,
}

impl ShaderLanguage {
    pub const ALL: [Self; 7] = [Self::ShaderToy, Self::Glsl, Self::Wgsl, Self::Metal, Self::Hlsl, Self::Es, Self::Page];

    pub fn name(self) -> &'static str {
        match self {
            Self::ShaderToy => "ShaderToy",
            Self::Glsl => "GLSL",
            Self::Wgsl => "WGSL",
            Self::Metal => "Metal",
            Self::Hlsl => "HLSL",
            Self::Es => "GLSL ES",
            Self::Page => "Web page",
        }
    }

    pub fn hint(self) -> &'static str {
        match self {
            Self::ShaderToy => "mainImage over iChannel0, GLSL ES 3.00",
            Self::Glsl => "Fragment shader over a texture, GLSL 4.50",
            Self::Wgsl => "Fragment shader over a texture, for WebGPU",
            Self::Metal => "Fragment function over a texture, Metal 2",
            Self::Hlsl => "Pixel shader over a texture, shader model 5",
            Self::Es => "Fragment shader over a texture, GLSL ES 3.00 for WebGL 2 and phones",
            Self::Page => "One file to open in a browser with WebGPU: picture, lenses and sliders",
        }
    }

    /// Of a file's name, without the dot; a longer ending counts before a shorter one.
    pub fn ending(self) -> &'static str {
        match self {
            Self::ShaderToy => "glsl",
            Self::Glsl => "frag",
            Self::Wgsl => "wgsl",
            Self::Metal => "metal",
            Self::Hlsl => "hlsl",
            Self::Es => "es.frag",
            Self::Page => "html",
        }
    }

    pub fn of_file(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let fits = |language: &Self| name.strip_suffix(language.ending()).is_some_and(|stem| stem.ends_with('.'));
        Self::ALL.into_iter().filter(fits).max_by_key(|language| language.ending().len())
    }

    fn target(self) -> Option<Target> {
        match self {
            Self::ShaderToy | Self::Glsl | Self::Page => None,
            Self::Wgsl => Some(Target::Wgsl),
            Self::Metal => Some(Target::Metal),
            Self::Hlsl => Some(Target::Hlsl),
            Self::Es => Some(Target::Es),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct GlassCopy<'a> {
    pub settings: &'a GlassSettings,
    /// Pixels.
    pub lenses: &'a [scene::Lens],
    pub light: Option<SceneLight>,
    /// Pixels.
    pub size: Vec2,
    pub scale: f32,
}

impl GlassCopy<'_> {
    pub fn text(&self, language: ShaderLanguage) -> Result<String, String> {
        if self.settings.mode == Mode::Source {
            return Err("the reference glass is the article's own shader; expected glass.mode = \"lens\"".into());
        }
        let stack = GlassStack::new(self.settings, self.lenses, self.scale, self.size.as_uvec2().to_array());
        let [body] = stack.bodies() else {
            return Err("the lenses are of different glass; expected one glass for all of them".into());
        };
        let glass = body.glass.clone();
        let glass = match &self.light {
            Some(light) if self.settings.light == LightFrom::Scene => glass.lit_by(light),
            _ => glass,
        };
        let (glass, words) = without_words(glass);
        if glass.lenses.lens.is_empty() {
            let why = if words > 0 {
                "all lenses are words, whose outlines do not fit into a shader"
            } else {
                "there is no lens"
            };
            return Err(format!("{why}; expected a lens of a shape"));
        }
        let text = self.assembled(&glass, words, language);
        text.map_err(|why| format!("{}: {why}", language.name()))
    }

    fn assembled(&self, glass: &Glass, words: usize, language: ShaderLanguage) -> Result<String, String> {
        let read = |file: &str| if file == "settings" { Ok(MARK.to_owned()) } else { shader_text(file) };
        let is_page = language == ShaderLanguage::Page;
        let defined = if is_page { &["STANDALONE"][..] } else { &["STANDALONE", "ONE_PASS"] };
        let body = assemble::assemble(&read, "glass/standalone.glsl", defined)?;
        let lengths = settings::lengths(glass);
        let body = Body::new(&body, Some(&lengths[..]).filter(|_| !is_page))?;
        let parts = body.text.split_once(MARK).ok_or("the constants have no place")?;
        let header = self.header(glass, words, language);
        if is_page {
            let settings =
                &self.lenses.first().map_or_else(|| self.settings.clone(), |lens| self.settings.clone().of_lens(lens));
            let page = page::Page { settings, glass, size: self.size, scale: self.scale };
            return page.text(&shader_text, &body, parts, &header);
        }
        let blurs = Blurs { frost_taps: frost_taps(glass.block.frost_light), level_step: level_step(glass) };
        let constants = settings::settings(&shader_text, &body, (glass, self.size), &blurs)?;
        let lenses = settings::lens_function(&shader_text, &body, &glass.lenses.lens)?;
        let (before, after) = parts;
        let body = format!("{before}{lenses}{after}");
        let (picture, entry) = frame(language);
        let version = if language == ShaderLanguage::ShaderToy { "" } else { "#version 450\n" };
        let Some(target) = language.target() else {
            return Ok(format!("{version}{header}\n{constants}\n{picture}\n{body}\n{entry}"));
        };
        let text = translate::translated(&format!("{version}{constants}\n{picture}\n{body}\n{entry}"), target)?;
        // A version comes first.
        let (version, text) = match text.split_once('\n') {
            Some((version, rest)) if version.starts_with("#version") => (format!("{version}\n"), rest),
            _ => (String::new(), text.as_str()),
        };
        Ok(format!("{version}{header}\n{}\n", text.trim()))
    }

    fn header(&self, glass: &Glass, words: usize, language: ShaderLanguage) -> String {
        let mut lines = vec![
            format!("Liquid glass over a picture, copied from Meniscus {}.", env!("CARGO_PKG_VERSION")),
            "SPDX-License-Identifier: MIT OR Apache-2.0".into(),
            "Copyright (c) 2026 The Meniscus maintainers".into(),
            String::new(),
        ];
        let mut say = |text: &str| lines.push(text.to_owned());
        match language {
            ShaderLanguage::ShaderToy => {
                say("Paste it into a tab of ShaderToy and choose a picture for iChannel0. The mouse moves the lenses.");
            }
            ShaderLanguage::Glsl => {
                say(
                    "A pass over a picture as large as the target, without inputs: draw one triangle that covers the target.",
                );
                say("Vulkan counts rows from the top; for OpenGL set ROWS_FROM_BELOW.");
            }
            ShaderLanguage::Wgsl | ShaderLanguage::Metal | ShaderLanguage::Hlsl => {
                say(
                    "A pass over a picture as large as the target: draw one triangle that covers the target, entry \"glass\".",
                );
                say("Texture and sampler (linear filter) are the first of their kinds. Translated by naga.");
            }
            ShaderLanguage::Page => {
                say("Open it in a browser with WebGPU. The shader \"glass\" is the program's, translated by naga.");
            }
            ShaderLanguage::Es => {
                say(
                    "A pass over a picture as large as the target, without inputs: draw one triangle that covers the target.",
                );
                say(
                    "The sampler \"picture\" filters linearly. Rows count from below, as in OpenGL. Translated by naga.",
                );
            }
        }
        let is_page = language == ShaderLanguage::Page;
        if !is_page {
            say(
                "The picture holds display values (sRGB) in a texture whose format does not decode, and so does the target.",
            );
            say("A texture with mip levels (of a linear filter) makes wide blurs smoother; none are needed.");
            say("Lengths are pixels; over a picture of another size they scale with it.");
        }
        lines.push(String::new());
        lines.push("Different from the program:".into());
        if settings::is_frosted(glass) && !is_page {
            let taps = frost_taps(glass.block.frost_light);
            lines.push(format!(
                "- The frost is a Gaussian of {taps} x {taps} places for each pixel; the program blurs beforehand."
            ));
        }
        let mut say = |text: &str| lines.push(text.to_owned());
        if !is_page {
            say(
                "- Mip levels are summed from pixels, which takes thousands of reads in the bevel; a larger LEVEL_STEP takes fewer.",
            );
        }
        if glass.needs_brightness {
            say(if is_page {
                "- The brightness below a lens has no hysteresis in time."
            } else {
                "- The brightness below a lens is measured for each pixel, in every frame: it changes at once, without hysteresis."
            });
        }
        if glass.is_legible {
            say("- The shade for legible text is left out: it needs a table of the picture.");
        }
        if self.light.is_some() && self.settings.light == LightFrom::Scene {
            say("- The light is that of the scene at the moment of the copy.");
        }
        if words > 0 {
            say("- Words are left out: their outlines are tables too large for a shader.");
        }
        say("- The glow where a pointer presses is left out.");
        lines.iter().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect()
    }
}

const MARK: &str = "// @lenses\n";

const STANDALONE_FILES: [(&str, &str); 5] = [
    ("glass/standalone.glsl", include_str!("../../../../shaders/glass/standalone.glsl")),
    ("glass/standalone_background.glsl", include_str!("../../../../shaders/glass/standalone_background.glsl")),
    ("glass/standalone_brightness.glsl", include_str!("../../../../shaders/glass/standalone_brightness.glsl")),
    ("glass/standalone_passes.glsl", include_str!("../../../../shaders/glass/standalone_passes.glsl")),
    ("glass/standalone.html", include_str!("../../../../shaders/glass/standalone.html")),
];

/// Of the folder that shaders are taken from, else as built.
fn shader_text(file: &str) -> Result<String, String> {
    match ShaderFolder::of_process() {
        Some(folder) => std::fs::read_to_string(folder.path().join(file)).map_err(|why| format!("{file}: {why}")),
        None => {
            let own = STANDALONE_FILES.iter().find(|(name, _)| *name == file);
            own.map_or_else(|| embedded_text(file), |(_, text)| Ok((*text).to_owned()))
        }
    }
}

/// In each direction: at most 2 px apart, as far as 24 allow.
fn frost_taps(frost: f32) -> f32 {
    (3.0 * frost).ceil().clamp(8.0, 24.0)
}

/// Pixels; colours that separate widely need the larger levels everywhere in the bevel.
fn level_step(glass: &Glass) -> f32 {
    if glass.block.fire > 0.0 { 4.0 } else { 1.0 }
}

fn without_words(mut glass: Glass) -> (Glass, usize) {
    let all = &glass.lenses.lens;
    let shapes: Vec<_> = all.iter().filter(|lens| lens.letters.is_none()).cloned().collect();
    let words = all.len() - shapes.len();
    if words > 0 {
        let lenses = Lenses { lens: shapes, ..glass.lenses.clone() };
        glass = glass.with_lenses(lenses);
    }
    (glass, words)
}

/// What reads the picture, and the entry.
fn frame(language: ShaderLanguage) -> (String, &'static str) {
    let (textures, picture) = match language {
        ShaderLanguage::ShaderToy => {
            return (
                "vec2 picture_size() {\n    return vec2(textureSize(iChannel0, 0));\n}\n\n\
                 vec3 picture_at(vec2 uv, float lod) {\n    return textureLod(iChannel0, vec2(uv.x, 1.0 - uv.y), lod).rgb;\n}\n"
                    .to_owned(),
                "void mainImage(out vec4 fragColor, in vec2 fragCoord) {\n    size = iResolution.xy;\n    \
                 unit = min(size.x / SIZE.x, size.y / SIZE.y);\n    shift = vec2(0.0);\n    \
                 if (iMouse.x > 0.0 || iMouse.y > 0.0) {\n        \
                 shift = vec2(iMouse.x, size.y - iMouse.y) - lens_at(0u).center;\n    }\n    \
                 fragColor = vec4(glass_over(vec2(fragCoord.x, size.y - fragCoord.y)), 1.0);\n}\n",
            );
        }
        ShaderLanguage::Glsl => ("layout(binding = 0) uniform sampler2D picture; // linear filter\n", "picture"),
        _ => (
            "layout(set = 0, binding = 0) uniform texture2D picture;\n\
             layout(set = 0, binding = 1) uniform sampler picture_sampler;\n",
            "sampler2D(picture, picture_sampler)",
        ),
    };
    let from_below = language == ShaderLanguage::Es;
    let head = format!(
        "const bool OUTPUT_IS_LINEAR = false; // true: the target's format encodes sRGB\n\
         const bool ROWS_FROM_BELOW = {from_below};\n\n{textures}layout(location = 0) out vec4 color;\n\n\
         vec2 picture_size() {{\n    return vec2(textureSize({picture}, 0));\n}}\n\n\
         vec3 picture_at(vec2 uv, float lod) {{\n    \
         return textureLod({picture}, ROWS_FROM_BELOW ? vec2(uv.x, 1.0 - uv.y) : uv, lod).rgb;\n}}\n",
    );
    (
        head,
        "void main() {\n    size = picture_size();\n    unit = min(size.x / SIZE.x, size.y / SIZE.y);\n    \
         shift = vec2(0.0);\n    vec2 frag = gl_FragCoord.xy;\n    frag.y = ROWS_FROM_BELOW ? size.y - frag.y : frag.y;\n    \
         vec3 value = glass_over(frag);\n    \
         color = vec4(OUTPUT_IS_LINEAR ? linear_from_encoded(value) : value, 1.0);\n}\n",
    )
}
