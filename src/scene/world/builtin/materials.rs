//! Materials of the court.

use crate::scene::world::{Material, MaterialKind, baked::Assembly};
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

/// Numbers of the court's materials.
pub struct Materials {
    pub building: Building,
    pub landscape: Landscape,
    pub exhibits: Exhibits,
    pub marbles: Marbles,
    pub ember: u32,
    pub lamp: u32,
    pub garden: Garden,
}

impl Materials {
    /// Adds all of them.
    pub fn new(stage: &mut Assembly) -> Result<Self, String> {
        Ok(Self {
            building: Building::new(stage)?,
            landscape: Landscape::new(stage),
            exhibits: Exhibits::new(stage),
            marbles: Marbles::new(stage),
            ember: stage.material(with(Ember, [0.07, 0.055, 0.06], [1.0, 0.36, 0.07], 0.35, [0.12, 0.16, 13.0, 0.35])),
            lamp: stage
                .material(Material { emissive: Vec3::new(15.0, 8.0, 3.2), ..of(Plain, [0.80, 0.66, 0.45], 0.6) }),
            garden: Garden::new(stage),
        })
    }
}

/// Floors and walls.
pub struct Building {
    pub floor: u32,
    pub wet: u32,
    pub mosaic: u32,
    pub stone: u32,
    pub pale: u32,
    pub plaster: u32,
    pub basin: u32,
}

impl Building {
    fn new(stage: &mut Assembly) -> Result<Self, String> {
        let floor = crate::scene::world::tiles::floor(&mut stage.builder)?;
        let mosaic = crate::scene::world::tiles::mosaic(&mut stage.builder)?;
        let mut add = |material| stage.material(material);
        Ok(Self {
            floor: add(Material { metallic: 1.0, ..tiled(floor, 1.0 / 2.4) }),
            // The same stones under a film of water: darker, and as flat as the water.
            wet: add(Material {
                metallic: 1.0,
                base: Vec4::new(0.42, 0.40, 0.38, 1.0),
                roughness: 0.11,
                normal_scale: 0.0,
                ..tiled(floor, 1.0 / 2.4)
            }),
            mosaic: add(Material { metallic: 1.0, emissive: Vec3::splat(5.0), ..tiled(mosaic, 1.0 / 0.7) }),
            stone: add(with(Marble, [0.68, 0.555, 0.40], [0.46, 0.35, 0.24], 0.55, [0.9, 0.45, 1.2, 0.05])),
            pale: add(with(Marble, [0.80, 0.70, 0.565], [0.54, 0.45, 0.36], 0.42, [0.7, 0.5, 1.0, 0.2])),
            plaster: add(of(Plain, [0.64, 0.29, 0.14], 0.85)),
            basin: add(with(Marble, [0.46, 0.50, 0.49], [0.22, 0.27, 0.28], 0.3, [0.5, 0.6, 1.1, 0.6])),
        })
    }
}

/// Water, and what is beyond the walls.
pub struct Landscape {
    pub water: u32,
    pub sea: u32,
    pub hills: [u32; 3],
    pub meadow: u32,
}

impl Landscape {
    fn new(stage: &mut Assembly) -> Self {
        let mut add = |material| stage.material(material);
        Self {
            water: add(of(Plain, [0.035, 0.10, 0.11], 0.04)),
            sea: add(of(Plain, [0.05, 0.12, 0.17], 0.16)),
            hills: [
                add(of(Plain, [0.10, 0.13, 0.06], 0.95)),
                add(of(Plain, [0.11, 0.13, 0.09], 0.95)),
                add(of(Plain, [0.13, 0.13, 0.12], 0.95)),
            ],
            meadow: add(of(Plain, [0.12, 0.17, 0.06], 0.9)),
        }
    }
}

/// Works of art and furniture.
pub struct Exhibits {
    pub chrome: u32,
    pub bronze: u32,
    pub knot: u32,
    pub jade: u32,
    pub wax: u32,
    pub velvet: u32,
    pub piping: u32,
    pub paint: u32,
    pub brushed: u32,
    pub copper: u32,
    pub wood: u32,
    pub dark_wood: u32,
}

impl Exhibits {
    fn new(stage: &mut Assembly) -> Self {
        let mut add = |material| stage.material(material);
        Self {
            chrome: add(metal([0.83, 0.84, 0.85], 0.03)),
            bronze: add(metal([0.46, 0.28, 0.13], 0.34)),
            knot: add(Material {
                metallic: 1.0,
                ..with(Iridescent, [0.42, 0.40, 0.44], [0.0; 3], 0.12, [330.0, 0.5, 2.1, 0.5])
            }),
            jade: add(with(Subsurface, [0.20, 0.44, 0.27], [0.42, 0.82, 0.44], 0.17, [0.11, 0.9, 0.6, 0.6])),
            wax: add(with(Subsurface, [0.72, 0.60, 0.42], [0.85, 0.42, 0.18], 0.4, [0.05, 0.9, 0.6, 0.1])),
            velvet: add(with(Velvet, [0.34, 0.03, 0.06], [0.80, 0.25, 0.28], 0.9, [0.005, 1.0, 0.4, 0.5])),
            piping: add(with(Velvet, [0.60, 0.40, 0.12], [0.80, 0.65, 0.35], 0.7, [0.004, 0.8, 0.4, 0.6])),
            paint: add(Material {
                metallic: 0.5,
                ..with(CarPaint, [0.05, 0.13, 0.42], [0.22, 0.06, 0.34], 0.42, [0.004, 0.7, 0.05, 1.0])
            }),
            brushed: add(Material {
                metallic: 1.0,
                ..with(Brushed, [0.78, 0.66, 0.42], [0.0; 3], 0.33, [0.004, 0.85, 0.55, 0.0])
            }),
            copper: add(Material {
                metallic: 1.0,
                ..with(Brushed, [0.80, 0.45, 0.30], [0.0; 3], 0.30, [0.003, 0.8, 0.4, 0.0])
            }),
            wood: add(with(Wood, [0.52, 0.29, 0.13], [0.24, 0.10, 0.035], 0.45, [0.03, 0.8, 0.5, 0.6])),
            dark_wood: add(with(Wood, [0.20, 0.11, 0.055], [0.08, 0.04, 0.02], 0.5, [0.025, 0.7, 0.5, 0.3])),
        }
    }
}

/// Veined stones of vases and feet.
pub struct Marbles {
    pub white: u32,
    pub rose: u32,
    pub green: u32,
}

impl Marbles {
    fn new(stage: &mut Assembly) -> Self {
        let mut add = |material| stage.material(material);
        Self {
            white: add(with(Marble, [0.80, 0.78, 0.74], [0.30, 0.30, 0.34], 0.25, [0.22, 0.85, 1.1, 0.8])),
            rose: add(with(Marble, [0.62, 0.34, 0.28], [0.80, 0.70, 0.62], 0.28, [0.16, 0.8, 1.4, 0.8])),
            green: add(with(Marble, [0.07, 0.16, 0.12], [0.42, 0.52, 0.45], 0.25, [0.25, 0.75, 1.3, 0.8])),
        }
    }
}

/// Pots, plants and fruit.
pub struct Garden {
    pub clay: u32,
    pub earth: u32,
    pub cypress: u32,
    pub leaf: u32,
    pub blossom: u32,
    pub lemon: u32,
    pub orange: u32,
}

impl Garden {
    fn new(stage: &mut Assembly) -> Self {
        let mut add = |material| stage.material(material);
        Self {
            clay: add(of(Plain, [0.44, 0.20, 0.11], 0.8)),
            earth: add(of(Plain, [0.09, 0.06, 0.04], 0.95)),
            cypress: add(of(Plain, [0.10, 0.175, 0.07], 0.65)),
            leaf: add(of(Plain, [0.20, 0.31, 0.09], 0.5)),
            blossom: add(of(Plain, [0.62, 0.11, 0.30], 0.6)),
            lemon: add(with(Subsurface, [0.82, 0.60, 0.05], [0.85, 0.62, 0.12], 0.35, [0.02, 0.5, 0.4, 0.3])),
            orange: add(with(Subsurface, [0.82, 0.28, 0.03], [0.85, 0.35, 0.06], 0.38, [0.02, 0.5, 0.4, 0.3])),
        }
    }
}
