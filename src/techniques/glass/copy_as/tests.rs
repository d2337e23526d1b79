//! Tests of copied shaders: each compiles, and draws what the program draws.

use super::super::settings::{Material, Preset};
use super::*;
use crate::PassSettings as _;
use crate::lab::checks::{Fixture, painted, test_picture};
use crate::lab::reference::picture::Picture;
use crate::light::luminance_adaptation::Adapt;
use crate::passes::Passes;
use glam::UVec2;
use gpu::shader_compiler::Compiler;
use gpu::{Format, ImageDesc, RasterPipeline, Sampler, Use};
use lab::TestBench;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use scene::picture::Motif;
use scene::{Lens, LensOutline, Shape};

/// Replaced by the copied shader.
const SHADER: &str = "renderer/show.frag";
/// Those that a driver here draws.
const DRAWN: [ShaderLanguage; 4] =
    [ShaderLanguage::ShaderToy, ShaderLanguage::Glsl, ShaderLanguage::Wgsl, ShaderLanguage::Es];
/// Halves four times: levels have texels of one size.
const SIZE: UVec2 = UVec2::new(320, 192);

fn compiled(text: &str) -> Vec<u32> {
    let read = |file: &str| if file == "copied.frag" { Ok(text.to_owned()) } else { Err(format!("no {file}")) };
    Compiler::new().unwrap().compile(&read, "copied.frag").unwrap_or_else(|why| panic!("{why}\n{}", numbered(text)))
}

fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(at, line)| format!("{:4} {line}\n", at + 1)).collect()
}

/// ShaderToy counts rows from below.
fn shadertoy(text: &str, size: UVec2) -> String {
    format!(
        "#version 310 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n\
         layout(binding = 0) uniform sampler2D picture;\n#define iChannel0 picture\nlayout(location = 0) out vec4 color;\n\
         const vec3 iResolution = vec3({}.0, {}.0, 1.0);\nconst vec4 iMouse = vec4(0.0);\n{text}\n\
         void main() {{\n    mainImage(color, vec2(gl_FragCoord.x, iResolution.y - gl_FragCoord.y));\n}}\n",
        size.x, size.y
    )
}

/// GLSL ES as Vulkan takes it.
fn es(text: &str) -> String {
    text.replacen("#version 300 es", "#version 310 es", 1)
        .replace("uniform highp sampler2D", "layout(binding = 0) uniform highp sampler2D")
}

/// naga checks it and writes GLSL with the sampler that this program's pipelines take.
fn from_wgsl(text: &str) -> Vec<u32> {
    let module = naga::front::wgsl::parse_str(text).unwrap_or_else(|why| panic!("{}", why.emit_to_string(text)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
    let info = info.unwrap_or_else(|why| panic!("{}", why.emit_to_string(text)));
    let spirv = naga::back::spv::write_vec(&module, &info, &naga::back::spv::Options::default(), None).unwrap();
    assert!(spirv.len() > 1000);
    let options = naga::back::glsl::Options {
        version: naga::back::glsl::Version::Desktop(450),
        writer_flags: naga::back::glsl::WriterFlags::empty(),
        ..Default::default()
    };
    let entry = naga::back::glsl::PipelineOptions {
        shader_stage: naga::ShaderStage::Fragment,
        entry_point: "glass".into(),
        multiview: None,
    };
    let (mut glsl, policies) = (String::new(), naga::proc::BoundsCheckPolicies::default());
    let mut writer = naga::back::glsl::Writer::new(&mut glsl, &module, &info, &options, &entry, policies).unwrap();
    let reflection = writer.write().unwrap();
    let picture = reflection.texture_mapping.keys().next().unwrap().clone();
    let glsl = glsl.replace("uniform sampler2D", "layout(binding = 0) uniform sampler2D").replace(&picture, "picture");
    compiled(&glsl)
}

fn compile(language: ShaderLanguage, text: &str, size: UVec2) -> Vec<u32> {
    match language {
        ShaderLanguage::ShaderToy => compiled(&shadertoy(text, size)),
        ShaderLanguage::Glsl => compiled(text),
        ShaderLanguage::Wgsl => from_wgsl(text),
        ShaderLanguage::Es => compiled(&es(text)),
        ShaderLanguage::Metal | ShaderLanguage::Hlsl | ShaderLanguage::Page => {
            panic!("no compiler for {} is here", language.name())
        }
    }
}

type Pixels = Vec<[u8; 4]>;

fn flipped(pixels: &Pixels, width: u32) -> Pixels {
    pixels.chunks_exact(width as usize).rev().flatten().copied().collect()
}

fn drawn(bench: &mut TestBench, shader: Vec<u32>, language: ShaderLanguage, picture: &Pixels, size: UVec2) -> Pixels {
    let gpu = bench.gpu().clone();
    gpu.shaders.replace(SHADER, shader);
    let pipeline = RasterPipeline::simple(&gpu, ["include/screen.vert", SHADER], Format::Rgba8).unwrap();
    let from_below = matches!(language, ShaderLanguage::ShaderToy | ShaderLanguage::Es);
    let texels = if from_below { flipped(picture, size.x) } else { picture.clone() };
    let below = bench.picture(size.to_array(), bytemuck::cast_slice(&texels)).unwrap();
    let desc = ImageDesc::new("copied", size.to_array(), Format::Rgba8, &[Use::Color]);
    let target = bench.image(desc, &vec![[0_u8; 4]; texels.len()]).unwrap();
    bench
        .run(|frame| {
            let below = below.mip(0).through(Sampler::LinearClamp);
            let draw = pipeline.draw(3).bind("picture", below);
            frame.raster("copied").color(&target.mip(0), None).draw(draw).finish()
        })
        .unwrap();
    assert_eq!(gpu.shaders.errors(), []);
    let pixels = bench.read(&target.mip(0)).unwrap();
    // Here ShaderToy's wrapper turns its rows.
    if language == ShaderLanguage::Es { flipped(&pixels, size.x) } else { pixels }
}

fn by_program(bench: &mut TestBench, picture: &Picture, copy: &GlassCopy<'_>) -> (Pixels, Pixels) {
    let stage = Fixture::new(bench, picture).unwrap();
    let mut passes = Passes::new(bench.gpu()).unwrap();
    passes.adapt = Some(Adapt::new(bench.gpu()).unwrap());
    let glass = copy.settings.glass(copy.lenses, copy.scale);
    let target = stage.target.mip(0);
    let below = bench.read(&target).unwrap();
    bench.run(|frame| passes.record_lens(frame, stage.below(None), &glass, &target)).unwrap();
    (bench.read(&target).unwrap(), below)
}

/// Largest difference of a channel, share of pixels beyond 2, PSNR in dB.
fn difference(a: &Pixels, b: &Pixels) -> (u8, f64, f64) {
    let of_pixel = |(a, b): (&[u8; 4], &[u8; 4])| (0..3).map(|c| a[c].abs_diff(b[c])).max().unwrap_or(0);
    let all: Vec<u8> = a.iter().zip(b).map(of_pixel).collect();
    let beyond = all.iter().filter(|d| **d > 2).count() as f64 / all.len() as f64;
    let squares = a.iter().zip(b).flat_map(|(a, b)| (0..3).map(move |c| f64::from(a[c].abs_diff(b[c])).powi(2)));
    let mean = squares.sum::<f64>() / (3 * all.len()) as f64;
    (all.into_iter().max().unwrap_or(0), beyond, 10.0 * (65025.0 / mean.max(1e-9)).log10())
}

fn preset(preset: Preset) -> GlassSettings {
    GlassSettings { text: GlassSettings::default().text, ..GlassSettings::default().styled(preset) }
}

fn one(settings: &GlassSettings, shape: Shape, angle: f32) -> Vec<Lens> {
    let half = Vec2::new(settings.half_width.min(110.0), settings.half_height.min(70.0));
    let place = SIZE.as_vec2() * 0.5 + Vec2::new(3.3, -1.7);
    let outline = LensOutline { shape, angle: angle.to_degrees(), radius: 22.0, ..settings.outline() }.sized(half);
    vec![Lens { outline, ..settings.placed(place) }]
}

fn three(settings: &GlassSettings) -> Vec<Lens> {
    let at = |x: f32, y: f32, half: Vec2, shape| {
        let outline = LensOutline { shape, radius: 15.0, ..settings.outline() }.sized(half);
        Lens { outline, ..settings.placed(Vec2::new(x, y)) }
    };
    vec![
        at(90.0, 80.0, Vec2::new(60.0, 45.0), Shape::Superellipse),
        at(180.5, 110.0, Vec2::new(55.0, 30.0), Shape::Capsule),
        // Over the border.
        at(300.0, 170.0, Vec2::new(50.0, 50.0), Shape::Rounded),
    ]
}

struct Copied {
    name: &'static str,
    settings: GlassSettings,
    lenses: Vec<Lens>,
}

fn exact_cases() -> Vec<Copied> {
    let clear = GlassSettings::default();
    let copied = |name, settings: GlassSettings, lenses: Vec<Lens>| {
        let glass = settings.lens_glass();
        Copied { name, settings, lenses: lenses.into_iter().map(|lens| Lens { glass, ..lens }).collect() }
    };
    // A narrow bevel on small lenses is so steep that rounding shows.
    let turned = GlassSettings { light_angle: 40.0, melt: 60.0, taps: 5, bevel_width: 60.0, ..preset(Preset::Clear) };
    vec![
        copied("clear", preset(Preset::Clear), one(&clear, Shape::Superellipse, 0.0)),
        copied("loupe", preset(Preset::Loupe), one(&preset(Preset::Loupe), Shape::Superellipse, 0.0)),
        copied("pill", preset(Preset::Pill), one(&clear, Shape::Capsule, 0.4)),
        copied("rounded", preset(Preset::Clear), one(&clear, Shape::Rounded, -0.7)),
        copied("system, by what lies below", preset(Preset::SystemClear), one(&clear, Shape::Rounded, 0.0)),
        copied(
            "system, dark",
            GlassSettings { material: Material::ClearDark, ..preset(Preset::SystemClear) },
            one(&clear, Shape::Capsule, 0.3),
        ),
        copied("three that melt", turned.clone(), three(&turned)),
        copied(
            "body, tint, no adaptation",
            GlassSettings {
                body: [0.5, 0.8, 0.9],
                tint: [1.0, 0.4, 0.2],
                tint_part: 0.3,
                adaptive: 0.0,
                ..preset(Preset::Clear)
            },
            one(&clear, Shape::Superellipse, 0.2),
        ),
    ]
}

/// Largest difference, share beyond 2, PSNR.
fn compared(
    bench: &mut TestBench,
    picture: &Picture,
    case: &Copied,
    languages: &[ShaderLanguage],
) -> Vec<(u8, f64, f64)> {
    let Copied { settings, lenses, .. } = case;
    let copy = GlassCopy { settings, lenses, light: None, size: SIZE.as_vec2(), scale: 1.0 };
    let (program, below) = by_program(bench, picture, &copy);
    assert!(difference(&program, &below).0 > 20, "{}: the glass is seen", case.name);
    let mut found = Vec::new();
    for language in languages {
        let text = copy.text(*language).unwrap();
        let shader = compile(*language, &text, SIZE);
        found.push(difference(&program, &drawn(bench, shader, *language, &below, SIZE)));
    }
    found
}

#[test]
fn clear_glass_is_drawn_as_by_the_program() {
    let bench = &mut TestBench::validated();
    let picture = painted(Motif::Dusk, SIZE);
    for (index, case) in exact_cases().into_iter().enumerate() {
        // Languages differ in syntax, and cases in the glass: each case in one language, those with most of the syntax in all.
        let every = ["clear", "system, by what lies below", "three that melt"].contains(&case.name);
        let languages = if every { &DRAWN[..] } else { &DRAWN[index % DRAWN.len()..][..1] };
        let found = compared(bench, &picture, &case, languages);
        eprintln!("{}: {found:?}", case.name);
        // Rounding decides in a few pixels how many samples the bevel takes.
        for (language, (most, beyond, psnr)) in languages.iter().zip(&found) {
            let name = language.name();
            assert!(
                *beyond <= 2e-4 && *most <= 32 && *psnr >= 70.0,
                "{} in {name}: {most}/255, {beyond} beyond 2, {psnr} dB",
                case.name
            );
        }
    }
}

#[test]
fn frosted_and_dispersive_glass_is_near_the_program() {
    let bench = &mut TestBench::validated();
    for (name, picture) in [("dusk", painted(Motif::Dusk, SIZE)), ("charts", test_picture(SIZE))] {
        for (preset_name, least_db) in
            [(Preset::Frosted, 36.0), (Preset::Tinted, 36.0), (Preset::Prism, 34.0), (Preset::SystemRegular, 36.0)]
        {
            let settings = preset(preset_name);
            let lenses = one(&settings, Shape::Superellipse, 0.0);
            let case = Copied { name: preset_name.name(), settings, lenses };
            let found = compared(bench, &picture, &case, &[ShaderLanguage::Glsl]);
            eprintln!("{name}, {}: {found:?}", case.name);
            assert!(found[0].2 >= least_db, "{name}, {}: {:.1} dB", case.name, found[0].2);
        }
    }
}

fn written(settings: &GlassSettings, lenses: &[Lens], language: ShaderLanguage) -> Result<String, String> {
    GlassCopy { settings, lenses, light: None, size: SIZE.as_vec2(), scale: 1.0 }.text(language)
}

/// Licence and numbers: tests/outputs/taken_home.rs.
#[test]
fn a_shader_is_for_people_and_names_no_file_of_the_program() {
    let settings = GlassSettings::default();
    for language in ShaderLanguage::ALL {
        let text = written(&settings, &[settings.placed(Vec2::splat(100.0))], language).unwrap();
        assert!(
            text.contains(" // index of refraction")
                && text.contains("1.5")
                && text.lines().all(|line| line.len() < 400),
            "{text}"
        );
        for word in ["src/", "shaders/", "STANDALONE"] {
            assert!(!text.contains(word), "{word} in {}", language.name());
        }
    }
}

#[test]
fn a_pages_shaders_are_valid_and_its_source_is_short() {
    for own in Preset::ALL.iter().map(|own| preset(*own)).filter(|own| own.text.is_empty() && own.path.is_empty()) {
        let lens = Lens { glass: own.lens_glass(), ..own.placed(Vec2::splat(100.0)) };
        let page = written(&own, &[lens, lens], ShaderLanguage::Page).unwrap();
        let script = |id: &str| {
            let (_, rest) = page.split_once(&format!("id=\"{id}\">\n")).unwrap();
            rest.split_once("</script>").unwrap().0
        };
        let code = script("glass").to_owned() + script("passes");
        let module = naga::front::wgsl::parse_str(&code).unwrap_or_else(|why| panic!("{}", why.emit_to_string(&code)));
        let checked = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
        checked.unwrap_or_else(|why| panic!("{}", why.emit_to_string(&code)));
        assert!(page.lines().count() <= 1500, "{} lines", page.lines().count());
        assert_eq!(PAGE_PICTURES.map(|mark| page.matches(mark).count()), [1, 1]);
    }
}

#[test]
fn what_cannot_be_copied_is_said() {
    let settings = GlassSettings::default();
    let lens = settings.placed(Vec2::splat(100.0));
    let copied = |settings: &GlassSettings, lenses: &[Lens]| written(settings, lenses, ShaderLanguage::Glsl);
    let source = GlassSettings { mode: Mode::Source, ..settings.clone() };
    assert!(copied(&source, &[lens]).unwrap_err().contains("expected glass.mode"));
    assert!(copied(&settings, &[]).unwrap_err().contains("there is no lens"));
    let words = Lens { outline: LensOutline { text: "Aa".into(), ..lens.outline }, ..lens };
    assert!(copied(&settings, &[words]).unwrap_err().contains("are words"));
    assert!(copied(&settings, &[lens, words]).unwrap().contains("Words are left out"));
    assert!(!copied(&settings, &[lens]).unwrap().contains("Words are left out"));
    let frosted = GlassSettings { frost: 7.0, legible: true, ..settings };
    let text = copied(&frosted, &[Lens { glass: frosted.lens_glass(), ..lens }]).unwrap();
    assert!(text.contains("Gaussian of 21 x 21 places") && text.contains("shade for legible text is left out"));
}
