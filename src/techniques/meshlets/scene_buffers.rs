//! Small worlds that the checks draw.

use glam::{EulerRot, Mat4, Quat, Vec2, Vec3, Vec4};
use scene::world::{
    AlphaMode, Builder, Camera, Corner, Material, NO_TEXTURE, SECOND_UV, Texture, Viewpoint, WHOLE, World,
};
use std::f32::consts::{PI, TAU};

/// Steele et al., "Fast Splittable Pseudorandom Number Generators", 2014.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) >> 40) as f32 / (1 << 24) as f32
    }

    fn point(&mut self) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll()) * 2.0 - 1.0
    }
}

type Mesh = (Vec<Corner>, Vec<u32>);

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

pub fn before_relief() -> Camera {
    Camera {
        eye: Vec3::new(0.0, 0.0, 10.0),
        target: Vec3::ZERO,
        angle: 0.8,
        near: 0.05,
        roll: 0.0,
        shift: Vec2::ZERO,
        center: Vec2::ZERO,
    }
}

/// A wall, and pixel-sized coins from a twentieth of the distance before it to as far behind: nearly hidden objects.
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

/// Picture size of [`ruled`], pixels along a square's side, and squares.
pub const RULED: ([u32; 2], u32, [u32; 2]) = ([128, 64], 4, [30, 15]);

/// Squares of two triangles whose corners are all at pixel centres, the first at (2, 2).
pub fn ruled() -> Result<(World, Camera), String> {
    let (size, side, [wide, high]) = RULED;
    let mut builder = Builder::new();
    let material = builder.material(Material::default());
    let step = 2.0 / size[1] as f32;
    let position = |x: u32, y: u32| {
        let pixel =
            Vec2::new((x * side) as f32, (y * side) as f32) + 2.5 - Vec2::new(size[0] as f32, size[1] as f32) / 2.0;
        (pixel * Vec2::new(step, -step)).extend(0.0)
    };
    let places = (0..=high).flat_map(|y| (0..=wide).map(move |x| (x, y)));
    let corners =
        places.map(|(x, y)| Corner { position: position(x, y), normal: Vec3::Z, ..Corner::default() }).collect();
    let square = |(x, y): (u32, u32)| {
        let above = y * (wide + 1) + x;
        let below = above + wide + 1;
        [below, below + 1, above + 1, below, above + 1, above]
    };
    let indices = (0..high).flat_map(|y| (0..wide).map(move |x| (x, y))).flat_map(square).collect();
    let mesh = builder.mesh(corners, indices)?;
    builder.place(mesh, Mat4::IDENTITY, material)?;
    let camera = Camera {
        eye: Vec3::new(0.0, 0.0, 10.0),
        target: Vec3::ZERO,
        angle: 2.0 * 0.1_f32.atan(),
        roll: 0.0,
        near: 0.05,
        shift: Vec2::ZERO,
        center: Vec2::ZERO,
    };
    Ok((builder.finish(Viewpoint::default()), camera))
}

fn cells(builder: &mut Builder) -> Result<u32, String> {
    let at = |k: usize, side: usize| (k as f32 + 0.5) / side as f32 * TAU;
    let mut level: Vec<f32> =
        (0..16 * 16).map(|i| 0.5 + 0.5 * (2.0 * at(i % 16, 16)).sin() * at(i / 16, 16).cos()).collect();
    let (mut texels, mut side) = (vec![], 16);
    loop {
        texels.extend(level.iter().map(|alpha| ((alpha * 255.0).round() as u32) << 24 | 0x40_80C0));
        if side == 1 {
            break;
        }
        let (next, of) = (side / 2, side);
        let mean = |i: usize| {
            let corner = i / next * 2 * of + i % next * 2;
            (level[corner] + level[corner + 1] + level[corner + of] + level[corner + of + 1]) / 4.0
        };
        level = (0..next * next).map(mean).collect();
        side = next;
    }
    builder.texture(Texture { first: 0, width: 16, height: 16, levels: 5, srgb: 1, wrap: 1 << 2 }, &texels)
}

/// Masked, transparent and opaque leaves and panes at random among balls, double-sided; some cut by vertex alpha, some
/// by second texture coordinates.
pub fn grove(leaves: u32) -> Result<World, String> {
    let mut dice = Dice(23);
    let mut builder = Builder::new();
    let texture = cells(&mut builder)?;
    let solid = builder.material(Material::default());
    let mut materials = vec![];
    for cover in [AlphaMode::Mask, AlphaMode::Blend] {
        let usual = Material { flags: cover as u32, cutoff: 0.45, ..Material::default() };
        let mut textured = Material { textures: [texture, NO_TEXTURE, NO_TEXTURE, NO_TEXTURE], ..usual };
        textured.uv = [Vec2::new(1.5, 0.4), Vec2::new(-0.3, 1.2), Vec2::new(0.2, 0.6)];
        let second =
            Material { flags: textured.flags | SECOND_UV, uv2: [Vec2::X * 2.0, Vec2::Y, Vec2::ZERO], ..textured };
        let faint = Material { base: Vec4::new(1.0, 1.0, 1.0, 0.8), ..usual };
        let whole = Material { flags: textured.flags | WHOLE, ..textured };
        materials.push([textured, second, faint, whole].map(|material| builder.material(material)));
    }
    let (corners, indices) = ball(10);
    let round = builder.mesh(corners, indices)?;
    let corner = |i: u32| {
        let (x, y) = ((i % 2) as f32, (i / 2) as f32);
        Corner {
            position: Vec3::new(x - 0.5, y - 0.5, 0.0) * 2.0,
            normal: Vec3::Z,
            uv: Vec2::new(x, y),
            uv2: Vec2::new(y, 1.0 - x),
            alpha: Some([1.0, 0.2, 0.7, 0.0][i as usize]),
            ..Corner::default()
        }
    };
    let corners = (0..4).map(corner).collect();
    let leaf = builder.mesh(corners, vec![0, 1, 3, 0, 3, 2, 0, 3, 1, 0, 2, 3])?;
    for i in 0..leaves {
        let turn = Quat::from_euler(EulerRot::YXZ, TAU * dice.roll(), TAU * dice.roll(), TAU * dice.roll());
        let size = Vec3::new(0.6 + dice.roll(), 0.6 + dice.roll(), 1.0);
        let place = Mat4::from_scale_rotation_translation(size, turn, dice.point() * Vec3::new(4.0, 2.0, 4.0));
        builder.place(leaf, place, materials[i as usize % 2][i as usize / 2 % 4])?;
        if i % 6 == 0 {
            let small = Mat4::from_scale(Vec3::splat(0.3 + 0.3 * dice.roll()));
            builder.place(round, Mat4::from_translation(dice.point() * Vec3::new(4.0, 2.0, 4.0)) * small, solid)?;
        }
    }
    Ok(builder.finish(Viewpoint { distance: 12.0, ..Viewpoint::default() }))
}

/// A closed room seen from inside. Each wall is a fan around one of its points, so triangles are large, slivers or
/// degenerate; walls share their edges' points.
pub fn room(points: u32) -> Result<World, String> {
    let mut dice = Dice(31);
    let mut builder = Builder::new();
    let material = builder.material(Material::default());
    let mut along: Vec<f32> = (0..points).map(|_| 20.0 * (2.0 * dice.roll() - 1.0)).collect();
    along.extend([-20.0, 20.0]);
    along.sort_by(f32::total_cmp);
    let most = along.len();
    for wall in 0..6_usize {
        let (axis, side) = (wall / 2, if wall % 2 == 0 { -20.0 } else { 20.0 });
        let point = |u: f32, v: f32| {
            let mut at = [side; 3];
            (at[(axis + 1) % 3], at[(axis + 2) % 3]) = (u, v);
            Corner { position: Vec3::from_array(at), ..Corner::default() }
        };
        let mut corners: Vec<Corner> = along[1..].iter().map(|u| point(*u, -20.0)).collect();
        corners.extend(along[1..].iter().map(|v| point(20.0, *v)));
        corners.extend(along[..most - 1].iter().rev().map(|u| point(*u, 20.0)));
        corners.extend(along[..most - 1].iter().rev().map(|v| point(-20.0, *v)));
        let rim = corners.len() as u32;
        corners.push(point(18.0 * (2.0 * dice.roll() - 1.0), 18.0 * (2.0 * dice.roll() - 1.0)));
        let fan = (0..rim).flat_map(|i| {
            let next = (i + 1) % rim;
            if side > 0.0 { [rim, next, i] } else { [rim, i, next] }
        });
        let indices: Vec<u32> = fan.chain([0, 0, rim, 3, 3, 3]).collect();
        let mesh = builder.mesh(corners, indices)?;
        builder.place(mesh, Mat4::IDENTITY, material)?;
    }
    Ok(builder.finish(Viewpoint::default()))
}

pub fn nothing() -> World {
    Builder::new().finish(Viewpoint::default())
}
