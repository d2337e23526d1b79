//! A page that draws the glass with WebGPU: its passes and controls are `shaders/glass/standalone.html`, its glass the program's shader, whose
//! settings are uniforms.

use super::settings::{Body, LENGTHS, lens_buffer, values_of};
use super::translate::{Target, translated};
use crate::frost::blur::SHARP_SIGMA;
use crate::lens::shape::Lens;
use crate::light::luminance_adaptation::turns;
use crate::optics::footprint_sigma;
use crate::passes::variants::shader_optics;
use crate::settings::Glass;
use glam::Vec2;
use scene::{GlassSettings, OpticsModel};

/// Places of the two pictures, which are data of a JPEG file in base64: what is below the glass, and the frame with it.
pub const PAGE_PICTURES: [&str; 2] = ["@picture@", "@still@"];

pub(super) struct Page<'a> {
    pub settings: &'a GlassSettings,
    pub glass: &'a Glass,
    /// Pixels.
    pub size: Vec2,
    pub scale: f32,
}

impl Page<'_> {
    pub fn text(
        &self,
        read: &dyn Fn(&str) -> Result<String, String>,
        body: &Body,
        (before, after): (&str, &str),
        header: &str,
    ) -> Result<String, String> {
        let values = values_of(read, body, self.glass)?;
        let fields: String = values.iter().map(|value| format!("    {} {};\n", value.ty, value.name)).collect();
        let source = format!(
            "#version 450\nconst uint OPTICS = {}u;\nconst uint MAGNIFIES = {}u;\n\
             layout(std140, set = 0, binding = 4) uniform Glass {{\n    vec2 size;\n{fields}}} glass;\n\
             layout(location = 0) out vec4 color;\n\n{before}{}{after}\n\
             void main() {{\n    color = vec4(glass_over(gl_FragCoord.xy), 1.0);\n}}\n",
            shader_optics(self.glass),
            u32::from(self.glass.block.magnify != 1.0),
            lens_buffer(read, body)?,
        );
        let shader = translated(&source, Target::Page)?;
        let mut page = read("glass/standalone.html")?;
        for (mark, text) in [
            ("@header@", header.replace("// ", "").replace("//", "").trim_end()),
            ("@values@", self.values(&values).trim_end()),
            ("@shader@", shader.trim()),
        ] {
            let (before, after) = page.split_once(mark).ok_or_else(|| format!("glass/standalone.html: no {mark}"))?;
            page = format!("{before}{text}{after}");
        }
        Ok(page)
    }

    /// As JavaScript.
    fn values(&self, values: &[super::settings::Value]) -> String {
        let Self { settings, glass, size, scale } = self;
        let is_system = glass.optics == OpticsModel::System;
        let least = if settings.reduced_transparency { crate::settings::CALM_FROST } else { 0.0 };
        let frost = settings.frost.max(least);
        let smaller = footprint_sigma(1.0 / settings.magnify);
        let whole = if frost > SHARP_SIGMA { frost * scale } else { frost }.max(1e-3);
        let [dark, light] = [glass.block.frost, glass.block.frost_light]
            .map(|px| (px * px - smaller * smaller).max(0.0).sqrt() / whole);
        let turns = turns(glass.optics);
        let mut out = format!(
            "const area = [{:?}, {:?}]; // of the picture that the lenses are placed in, pixels\n\
             const scale = {scale:?}; // pixels of each unit of length there\n\
             const isSystem = {is_system}; // the second optics: by the distance to the edge\n\
             const adapts = {}; // to the brightness below a lens, which turns at these two\n\
             const turns = [{:?}, {:?}];\n\
             const frostParts = [{dark:?}, {light:?}]; // over dark pictures and bright ones\n\
             const settings = {{ // what the sliders change\n  frost: {frost:?}, ior: {:?}, abbe: {:?}, height: {:?}, \
             width: {:?}, melt: {:?},\n}};\nconst lenses = [\n",
            size.x,
            size.y,
            glass.needs_brightness,
            turns.x,
            turns.y,
            settings.ior,
            settings.abbe,
            settings.bevel_height,
            settings.bevel_width,
            settings.melt,
        );
        out.extend(glass.lenses.lens.iter().map(|lens| self.lens(lens)));
        out += "];\nconst glass = {\n";
        for value in values {
            out += &format!("  {}: {},", value.name, value.script);
            out += &value.comment.map_or_else(|| "\n".into(), |comment| format!(" // {comment}\n"));
        }
        let lengths: Vec<_> = values.iter().map(|value| value.name.as_str()).collect();
        let lengths: Vec<_> = LENGTHS.into_iter().filter(|name| lengths.contains(name)).collect();
        out + &format!("}};\nconst lengths = {lengths:?};\n")
    }

    fn lens(&self, lens: &Lens) -> String {
        let Lens { center, half, corner, exponent, bright, container, .. } = lens;
        let corner = match corner {
            corner if corner == half => "\"all\"".into(),
            corner if corner.min_element() == half.min_element() => "\"ends\"".into(),
            corner => format!("{:?}", corner.x),
        };
        let (at, angle) = (*center / self.size, lens.frame.x_axis.to_angle());
        format!(
            "  {{ at: [{:?}, {:?}], half: [{:?}, {:?}], corner: {corner}, exponent: {exponent:?}, angle: {angle:?}, bright: {bright:?}, container: {container} }},\n",
            at.x, at.y, half.x, half.y
        )
    }
}
