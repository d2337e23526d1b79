//! Small worlds that the checks draw.

use crate::scene::world::{Builder, Camera, Corner, Material, Viewpoint, World};
use glam::{EulerRot, Mat4, Quat, Vec2, Vec3};
use std::f32::consts::{PI, TAU};

/// A sequence of numbers between 0 and 1 (Steele et al., "Fast Splittable Pseudorandom Number Generators", 2014).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) >> 40) as f32 / (1 << 24) as f32
    }

    /// Each between -1 and 1.
    fn point(&mut self) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll()) * 2.0 - 1.0
    }
}

type Mesh = (Vec<Corner>, Vec<u32>);

/// A ball of radius 1 with so many rings and twice as many segments.
fn ball(rings: u32) -> Mesh {
    let segments = 2 * rings;
    let mut corners = Vec::new();
    for ring in 0..=rings {
        for segment in 0..=segments {
            let (up, round) = (PI * ring as f32 / rings as f32, TAU * (segment % segments) as f32 / segments as f32);
            let position = if ring == rings {
                Vec3::NEG_Y
            } else {
                Vec3::new(up.sin() * round.sin(), up.cos(), up.sin() * round.cos())
            };
            corners.push(Corner { position, normal: position, ..Corner::default() });
        }
    }
    let mut indices = Vec::new();
    for ring in 0..rings {
        for segment in 0..segments {
            let at = ring * (segments + 1) + segment;
            let below = at + segments + 1;
            if ring > 0 {
                indices.extend([at, below, at + 1]);
            }
            if ring + 1 < rings {
                indices.extend([at + 1, below, below + 1]);
            }
        }
    }
    (corners, indices)
}

/// Triangles at random.
fn shards(count: u32, dice: &mut Dice) -> Mesh {
    let mut corners = Vec::new();
    for _ in 0..count {
        let middle = dice.point() * 4.0;
        for _ in 0..3 {
            corners.push(Corner { position: middle + dice.point(), ..Corner::default() });
        }
    }
    (corners, (0..3 * count).collect())
}

/// Balls of all sizes, some squashed and some sheared by turning before and after, a ball around everything that is seen from
/// inside, and shards.
pub fn crowd(balls: u32, rings: u32) -> Result<World, String> {
    let mut dice = Dice(7);
    let mut builder = Builder::new();
    let material = builder.material(Material::default());
    let (corners, indices) = ball(rings);
    let round = builder.mesh(corners, indices)?;
    for i in 0..balls {
        let turn = Quat::from_euler(EulerRot::YXZ, TAU * dice.roll(), TAU * dice.roll(), TAU * dice.roll());
        let size = 0.2 + 0.8 * dice.roll();
        let scale = if i % 3 == 2 { Vec3::new(size, 0.4 * size, 1.3 * size) } else { Vec3::splat(size) };
        let place = Mat4::from_scale_rotation_translation(scale, turn, dice.point() * Vec3::new(5.0, 2.0, 5.0));
        let sheared =
            if i % 5 == 4 { place * Mat4::from_quat(turn) * Mat4::from_scale(Vec3::new(1.0, 0.5, 1.0)) } else { place };
        builder.place(round, sheared, material)?;
    }
    let (corners, mut indices) = ball(24);
    indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
    let around = builder.mesh(corners, indices)?;
    builder.place(around, Mat4::from_scale(Vec3::new(30.0, 9.0, 30.0)), material)?;
    let (corners, indices) = shards(60, &mut dice);
    let loose = builder.mesh(corners, indices)?;
    builder.place(loose, Mat4::IDENTITY, material)?;
    Ok(builder.finish(Viewpoint { distance: 12.0, ..Viewpoint::default() }))
}

/// From where [`relief`] is seen.
pub fn before_relief() -> Camera {
    Camera { eye: Vec3::new(0.0, 0.0, 10.0), target: Vec3::ZERO, angle: 0.8, near: 0.05, shift: Vec2::ZERO }
}

/// A wall, and coins of a pixel that hang from a twentieth of the way in front of it to as far behind: what is nearly hidden.
pub fn relief(coins: u32) -> Result<World, String> {
    let mut dice = Dice(11);
    let mut builder = Builder::new();
    let material = builder.material(Material::default());
    let disc = |sides: u32, radius: f32| -> Mesh {
        let rim = (0..sides).map(|i| TAU * i as f32 / sides as f32);
        let position = rim.map(|angle| Vec3::new(angle.cos(), angle.sin(), 0.0) * radius);
        let corners = position.map(|position| Corner { position, normal: Vec3::Z, ..Corner::default() }).collect();
        (corners, (1..sides - 1).flat_map(|i| [0, i, i + 1]).collect())
    };
    let (corners, indices) = disc(4, 3.0);
    let wall = builder.mesh(corners, indices)?;
    builder.place(wall, Mat4::IDENTITY, material)?;
    let (corners, indices) = disc(6, 0.04);
    let coin = builder.mesh(corners, indices)?;
    for _ in 0..coins {
        builder.place(coin, Mat4::from_translation(dice.point() * Vec3::new(2.6, 2.6, 0.5)), material)?;
    }
    Ok(builder.finish(Viewpoint { distance: 10.0, ..Viewpoint::default() }))
}

/// Nothing at all.
pub fn nothing() -> World {
    Builder::new().finish(Viewpoint::default())
}
