//! Materials of the court.

use crate::world::{Material, MaterialKind, baked::Assembly, tiles};
use MaterialKind::{Brushed, CarPaint, Ember, Iridescent, Marble, Plain, Subsurface, Textured, Velvet, Wood};
use glam::{Vec2, Vec3, Vec4};

fn of(kind: MaterialKind, base: [f32; 3], roughness: f32) -> Material {
    Material { kind: kind as u32, base: Vec3::from(base).extend(1.0), roughness, ..Material::default() }
}

fn with(kind: MaterialKind, base: [f32; 3], second: [f32; 3], roughness: f32, parameters: [f32; 4]) -> Material {
    Material { second: second.into(), parameters: Vec4::from(parameters), ..of(kind, base, roughness) }
}

fn tiled(textures: [u32; 4], repeat: f32) -> Material {
    let uv = [Vec2::X * repeat, Vec2::Y * repeat, Vec2::ZERO];
    Material { textures, uv, ..of(Textured, [1.0; 3], 1.0) }
}

fn metal(base: [f32; 3], roughness: f32) -> Material {
    Material { metallic: 1.0, ..of(Plain, base, roughness) }
}

macro_rules! materials {
    (|$stage:ident| let $textures:ident = $read:expr; $($name:ident $text:literal = $material:expr;)*) => {
        pub struct Materials {
            $(pub $name: u32,)*
        }

        impl Materials {
            pub fn new($stage: &mut Assembly) -> Result<Self, String> {
                let $textures = $read;
                Ok(Self { $($name: $stage.material($text, $material),)* })
            }
        }
    };
}

materials! {
    |stage| let textures = [tiles::floor(&mut stage.builder)?, tiles::mosaic(&mut stage.builder)?];
    floor "floor" = Material { metallic: 1.0, ..tiled(textures[0], 1.0 / 2.4) };
    wet "wet floor" = Material { metallic: 1.0, base: Vec4::new(0.42, 0.40, 0.38, 1.0), roughness: 0.11, normal_scale: 0.0,
        ..tiled(textures[0], 1.0 / 2.4) };
    mosaic "mosaic" = Material { metallic: 1.0, emissive: Vec3::splat(5.0), ..tiled(textures[1], 1.0 / 0.7) };
    stone "stone" = with(Marble, [0.68, 0.555, 0.40], [0.46, 0.35, 0.24], 0.55, [0.9, 0.45, 1.2, 0.05]);
    pale "pale stone" = with(Marble, [0.80, 0.70, 0.565], [0.54, 0.45, 0.36], 0.42, [0.7, 0.5, 1.0, 0.2]);
    plaster "plaster wall" = of(Plain, [0.64, 0.29, 0.14], 0.85);
    basin "basin" = with(Marble, [0.46, 0.50, 0.49], [0.22, 0.27, 0.28], 0.3, [0.5, 0.6, 1.1, 0.6]);
    water "water" = of(Plain, [0.035, 0.10, 0.11], 0.04);
    sea "sea" = of(Plain, [0.05, 0.12, 0.17], 0.16);
    near_hills "near hills" = of(Plain, [0.10, 0.13, 0.06], 0.95);
    hills "hills" = of(Plain, [0.11, 0.13, 0.09], 0.95);
    far_hills "far hills" = of(Plain, [0.13, 0.13, 0.12], 0.95);
    meadow "meadow" = of(Plain, [0.12, 0.17, 0.06], 0.9);
    chrome "chrome" = metal([0.83, 0.84, 0.85], 0.03);
    bronze "bronze" = metal([0.46, 0.28, 0.13], 0.34);
    knot "iridescent" = Material { metallic: 1.0, ..with(Iridescent, [0.42, 0.40, 0.44], [0.0; 3], 0.12, [330.0, 0.5, 2.1, 0.5]) };
    jade "jade" = with(Subsurface, [0.20, 0.44, 0.27], [0.42, 0.82, 0.44], 0.17, [0.11, 0.9, 0.6, 0.6]);
    wax "wax" = with(Subsurface, [0.72, 0.60, 0.42], [0.85, 0.42, 0.18], 0.4, [0.05, 0.9, 0.6, 0.1]);
    velvet "velvet" = with(Velvet, [0.34, 0.03, 0.06], [0.80, 0.25, 0.28], 0.9, [0.005, 1.0, 0.4, 0.5]);
    piping "gold piping" = with(Velvet, [0.60, 0.40, 0.12], [0.80, 0.65, 0.35], 0.7, [0.004, 0.8, 0.4, 0.6]);
    paint "lacquered" = Material { metallic: 0.5,
        ..with(CarPaint, [0.05, 0.13, 0.42], [0.22, 0.06, 0.34], 0.42, [0.004, 0.7, 0.05, 1.0]) };
    brushed "brass" = Material { metallic: 1.0,
        ..with(Brushed, [0.78, 0.66, 0.42], [0.0; 3], 0.33, [0.004, 0.85, 0.55, 0.0]) };
    copper "copper" = Material { metallic: 1.0, ..with(Brushed, [0.80, 0.45, 0.30], [0.0; 3], 0.30, [0.003, 0.8, 0.4, 0.0]) };
    wood "wooden" = with(Wood, [0.52, 0.29, 0.13], [0.24, 0.10, 0.035], 0.45, [0.03, 0.8, 0.5, 0.6]);
    dark_wood "dark wood" = with(Wood, [0.20, 0.11, 0.055], [0.08, 0.04, 0.02], 0.5, [0.025, 0.7, 0.5, 0.3]);
    white "white marble" = with(Marble, [0.80, 0.78, 0.74], [0.30, 0.30, 0.34], 0.25, [0.22, 0.85, 1.1, 0.8]);
    rose "rose marble" = with(Marble, [0.62, 0.34, 0.28], [0.80, 0.70, 0.62], 0.28, [0.16, 0.8, 1.4, 0.8]);
    green "green marble" = with(Marble, [0.07, 0.16, 0.12], [0.42, 0.52, 0.45], 0.25, [0.25, 0.75, 1.3, 0.8]);
    ember "ember" = with(Ember, [0.07, 0.055, 0.06], [1.0, 0.36, 0.07], 0.35, [0.12, 0.16, 13.0, 0.35]);
    lamp "lantern's glass" = Material { emissive: Vec3::new(15.0, 8.0, 3.2), ..of(Plain, [0.80, 0.66, 0.45], 0.6) };
    clay "clay" = of(Plain, [0.44, 0.20, 0.11], 0.8);
    earth "earth" = of(Plain, [0.09, 0.06, 0.04], 0.95);
    cypress "cypress" = of(Plain, [0.10, 0.175, 0.07], 0.65);
    leaf "leaves" = of(Plain, [0.20, 0.31, 0.09], 0.5);
    blossom "blossoms" = of(Plain, [0.62, 0.11, 0.30], 0.6);
    lemon "lemon" = with(Subsurface, [0.82, 0.60, 0.05], [0.85, 0.62, 0.12], 0.35, [0.02, 0.5, 0.4, 0.3]);
    orange "orange" = with(Subsurface, [0.82, 0.28, 0.03], [0.85, 0.35, 0.06], 0.38, [0.02, 0.5, 0.4, 0.3]);
}
