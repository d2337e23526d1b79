//! A small world with every kind of material, and its visibility, one ray at a time.

use glam::{Mat4, Vec2, Vec3};
use scene::world::{
    AlphaMode, Builder, Corner, LEVEL_NEAREST, Lamp, LampKind, MAGNIFIED_NEAREST, MINIFIED_NEAREST, Material,
    MaterialKind, NO_TEXTURE, SECOND_UV, Texture, UNLIT, Viewpoint, VisibilityId, WHOLE, World,
};
use std::f32::consts::{PI, TAU};

fn sphere(around: u32) -> (Vec<Corner>, Vec<u32>) {
    let down = around / 2;
    let (mut corners, mut indices) = (vec![], vec![]);
    for y in 0..=down {
        for x in 0..=around {
            let (u, v) = (x as f32 / around as f32, y as f32 / down as f32);
            let (a, b) = (u * TAU, v * PI);
            let normal = Vec3::new(b.sin() * a.sin(), b.cos(), b.sin() * a.cos());
            corners.push(Corner {
                position: normal,
                normal,
                uv: Vec2::new(4.0 * u, 2.0 * v),
                uv2: Vec2::new(3.0 * v, 5.0 * u),
                alpha: Some(0.5 + 0.5 * (3.0 * a).sin() * b.sin()),
                tangent: Vec3::new(a.cos(), 0.0, -a.sin()),
                flipped: true,
                sky: 0.55 + 0.45 * normal.y.max(-0.6),
                ..Corner::default()
            });
        }
    }
    let row = around + 1;
    for y in 0..down {
        for x in 0..around {
            let i = y * row + x;
            indices.extend([i, i + row, i + 1, i + 1, i + row, i + row + 1]);
        }
    }
    (corners, indices)
}

fn floor(side: u32) -> (Vec<Corner>, Vec<u32>) {
    let at = |i: u32| (i as f32 - 0.5 * side as f32) * 2.0;
    let corner = |x: u32, z: u32| Corner {
        position: Vec3::new(at(x), 0.0, at(z)),
        uv: Vec2::new(at(x), at(z)) * 0.5,
        tangent: Vec3::X,
        flipped: true,
        color: Vec3::splat(if (x + z).is_multiple_of(2) { 1.0 } else { 0.8 }),
        ..Corner::default()
    };
    let corners = (0..=side).flat_map(|z| (0..=side).map(move |x| corner(x, z))).collect();
    let row = side + 1;
    let quads = (0..side).flat_map(|z| (0..side).map(move |x| z * row + x));
    (corners, quads.flat_map(|i| [i, i + row, i + 1, i + 1, i + row, i + row + 1]).collect())
}

fn texture(builder: &mut Builder, size: u32, srgb: u32, wrap: u32, colour: impl Fn(f32, f32) -> [f32; 3]) -> u32 {
    let mut texels = vec![];
    let levels = 32 - size.leading_zeros();
    for level in 0..levels {
        let side = (size >> level).max(1);
        let scale = size / side;
        for y in 0..side {
            for x in 0..side {
                let mut sum = [0.0; 3];
                for j in 0..scale {
                    for i in 0..scale {
                        let at = |a: u32, b: u32| ((a * scale + b) as f32 + 0.5) / size as f32;
                        let here = colour(at(x, i), at(y, j));
                        sum = std::array::from_fn(|c| sum[c] + here[c]);
                    }
                }
                let byte = |c: f32| (c / (scale * scale) as f32 * 255.0).round() as u32;
                let alpha = 255 - (5 * x + 3 * y) % 90;
                texels.push(byte(sum[0]) | byte(sum[1]) << 8 | byte(sum[2]) << 16 | alpha << 24);
            }
        }
    }
    let texture = Texture { first: 0, width: size, height: size, levels, srgb, wrap };
    builder.texture(texture, &texels).unwrap_or(NO_TEXTURE)
}

const REPEATED: u32 = 0;
const MIRRORED: u32 = 1 | 1 << 2;
const HELD: u32 = 2 | 2 << 2;

fn textures(builder: &mut Builder) -> [u32; 4] {
    painting(builder, [(64, REPEATED), (16, 1), (32, REPEATED), (8, 2 | 1 << 2)])
}

fn painting(builder: &mut Builder, shapes: [(u32, u32); 4]) -> [u32; 4] {
    let bump = |u: f32, v: f32| {
        let (x, y) = (0.35 * (u * TAU * 4.0).sin(), 0.35 * (v * TAU * 4.0).sin());
        [0.5 + 0.5 * x, 0.5 + 0.5 * y, 0.5 + 0.5 * (1.0 - x * x - y * y).sqrt()]
    };
    let tiles = |u: f32, v: f32| {
        let seam = (u * 4.0).fract().min((v * 4.0).fract()) < 0.08;
        if seam { [0.25, 0.23, 0.2] } else { [0.75, 0.45 + 0.2 * (u * 40.0).sin().abs(), 0.3] }
    };
    [
        texture(builder, shapes[0].0, 1, shapes[0].1, tiles),
        texture(builder, shapes[1].0, 0, shapes[1].1, |u, v| [0.0, 0.4 + 0.5 * u * v, 0.2]),
        texture(builder, shapes[2].0, 0, shapes[2].1, bump),
        texture(builder, shapes[3].0, 1, shapes[3].1, |u, v| [0.4 * u, 0.1, 0.4 * v]),
    ]
}

fn layers(builder: &mut Builder) -> Vec<Material> {
    let textures = textures(builder);
    let of = |base: [f32; 3], roughness: f32, metallic: f32| Material {
        base: Vec3::from(base).extend(0.6),
        kind: MaterialKind::Layered as u32,
        roughness,
        metallic,
        ..Material::default()
    };
    let turned = [Vec2::new(0.6, 0.8) * 1.7, Vec2::new(-0.8, 0.6) * 0.9, Vec2::new(0.3, 0.7)];
    let all = Material {
        textures,
        emissive: Vec3::splat(0.4),
        uv: turned,
        uv2: [Vec2::new(0.9, 0.2), Vec2::new(-0.3, 1.1), Vec2::new(0.1, 0.4)],
        ..of([1.0; 3], 0.9, 1.0)
    };
    let with = |m: Material, parameters: [f32; 4]| Material { parameters: parameters.into(), ..m };
    vec![
        with(of([0.5, 0.04, 0.03], 0.7, 0.0), [1.0, 0.05, 0.0, 0.0]),
        Material { second: Vec3::new(0.7, 0.5, 0.9), ..with(of([0.1, 0.2, 0.4], 0.8, 0.0), [0.0, 0.0, 0.55, 0.0]) },
        Material { film: Vec3::new(1.0, 1.33, 420.0), ..of([0.9, 0.85, 0.8], 0.25, 1.0) },
        Material { film: Vec3::new(0.8, 1.8, 610.0), ..of([0.2, 0.2, 0.2], 0.3, 0.0) },
        Material { dielectric: Vec3::new(0.5, 0.25, 0.1), ..of([0.3, 0.3, 0.3], 0.4, 0.3) },
        Material { dielectric: Vec3::ZERO, ..of([0.4, 0.5, 0.3], 0.3, 0.0) },
        Material { flags: UNLIT | SECOND_UV, ..all },
        Material { flags: SECOND_UV << 1 | SECOND_UV << 3, ..all },
        Material {
            second: Vec3::new(0.3, 0.2, 0.1),
            film: Vec3::new(0.5, 1.4, 300.0),
            flags: SECOND_UV << 2,
            ..with(all, [0.6, 0.2, 0.8, 0.35])
        },
        with(of([0.8, 0.3, 0.5], 0.5, 0.0), [0.0, 0.0, 0.0, 0.7]),
    ]
}

fn materials(builder: &mut Builder) -> Vec<Material> {
    let textures = textures(builder);
    let m =
        |kind: MaterialKind, base: [f32; 3], second: [f32; 3], parameters: [f32; 4], roughness: f32, metallic: f32| {
            Material {
                base: Vec3::from(base).extend(1.0),
                second: second.into(),
                parameters: parameters.into(),
                roughness,
                metallic,
                kind: kind as u32,
                ..Material::default()
            }
        };
    let textured = Material {
        textures,
        emissive: Vec3::splat(0.6),
        ..m(MaterialKind::Textured, [1.0; 3], [0.0; 3], [0.0; 4], 0.9, 1.0)
    };
    vec![
        m(MaterialKind::Plain, [0.62, 0.60, 0.56], [0.0; 3], [0.0; 4], 0.6, 0.0),
        textured,
        m(MaterialKind::Marble, [0.86, 0.84, 0.80], [0.10, 0.11, 0.13], [0.35, 0.9, 1.0, 0.6], 0.35, 0.0),
        m(MaterialKind::CarPaint, [0.55, 0.02, 0.03], [0.10, 0.0, 0.06], [0.004, 0.7, 0.05, 1.0], 0.4, 0.5),
        m(MaterialKind::Subsurface, [0.35, 0.62, 0.38], [0.30, 0.75, 0.25], [0.12, 0.8, 0.5, 0.5], 0.3, 0.0),
        m(MaterialKind::Iridescent, [0.95, 0.93, 0.90], [0.0; 3], [400.0, 0.35, 1.4, 0.5], 0.2, 1.0),
        m(MaterialKind::Velvet, [0.16, 0.01, 0.05], [0.85, 0.25, 0.40], [0.01, 1.0, 0.35, 0.5], 0.9, 0.0),
        m(MaterialKind::Brushed, [0.91, 0.78, 0.55], [0.0; 3], [0.004, 0.85, 0.6, 1.0], 0.35, 1.0),
        m(MaterialKind::Wood, [0.55, 0.32, 0.15], [0.20, 0.09, 0.03], [0.06, 0.8, 0.6, 0.4], 0.5, 0.0),
        m(MaterialKind::Ember, [0.06, 0.05, 0.05], [1.0, 0.32, 0.06], [0.25, 0.25, 8.0, 0.45], 0.85, 0.0),
    ]
}

pub fn gallery(around: u32) -> World {
    shown(around, materials)
}

pub fn layered(around: u32) -> World {
    shown(around, layers)
}

pub fn side_by_side(around: u32) -> World {
    let shapes = [(16, MIRRORED), (64, HELD), (32, MIRRORED), (8, REPEATED), (32, HELD), (20, REPEATED)];
    shown(around, |builder| painted(builder, shapes))
}

pub fn nearest(around: u32) -> World {
    let near = MAGNIFIED_NEAREST | MINIFIED_NEAREST;
    let filters = [near, MAGNIFIED_NEAREST, near | LEVEL_NEAREST, MINIFIED_NEAREST, LEVEL_NEAREST, near];
    let shapes = [(16, MIRRORED), (64, HELD), (4, MIRRORED), (8, REPEATED), (32, HELD), (4, REPEATED)];
    let shapes = std::array::from_fn(|k| (shapes[k].0, shapes[k].1 | filters[k]));
    shown(around, |builder| painted(builder, shapes))
}

pub fn tiled(around: u32) -> World {
    shown(around, |builder| painted(builder, [16, 64, 128, 8, 2, 4].map(|size| (size, REPEATED))))
}

fn painted(builder: &mut Builder, shapes: [(u32, u32); 6]) -> Vec<Material> {
    let mut with = |(size, wrap), kept: [bool; 4]| {
        let textures = painting(builder, [(size, wrap); 4]);
        std::array::from_fn(|slot| if kept[slot] { textures[slot] } else { NO_TEXTURE })
    };
    let all = with((32, REPEATED), [true; 4]);
    let of = |textures: [u32; 4], kind: MaterialKind| Material {
        textures,
        base: Vec3::new(0.9, 1.0, 0.8).extend(1.0),
        emissive: Vec3::splat(0.6),
        roughness: 0.9,
        metallic: 1.0,
        kind: kind as u32,
        ..Material::default()
    };
    let turned = [Vec2::new(0.6, 0.8) * 1.7, Vec2::new(-0.8, 0.6) * 0.9, Vec2::new(0.3, 0.7)];
    let textured = MaterialKind::Textured;
    vec![
        of(all, textured),
        of(with(shapes[0], [true, true, true, false]), textured),
        of(with(shapes[1], [true, false, true, true]), textured),
        of(with(shapes[2], [true, false, false, false]), textured),
        of(with(shapes[3], [false, false, true, false]), textured),
        of(with(shapes[4], [false, true, false, false]), textured),
        of(with(shapes[5], [false, false, false, true]), textured),
        Material { uv: turned, ..of(all, textured) },
        Material { uv: turned, ..of(with((1, REPEATED), [true; 4]), MaterialKind::Layered) },
        Material { parameters: [0.6, 0.2, 0.0, 0.0].into(), ..of(all, MaterialKind::Layered) },
    ]
}

pub fn seen_through(around: u32) -> World {
    blended(around, layers)
}

pub fn seen_through_tiled(around: u32) -> World {
    blended(around, |builder| {
        let all = painted(builder, [16, 64, 128, 8, 2, 4].map(|size| (size, REPEATED)));
        all.into_iter().map(|material| Material { kind: MaterialKind::Layered as u32, ..material }).collect()
    })
}

fn blended(around: u32, materials: impl Fn(&mut Builder) -> Vec<Material>) -> World {
    shown(around, |builder| {
        let mut all = materials(builder);
        for (i, material) in all.iter_mut().enumerate() {
            material.flags |= AlphaMode::Blend as u32 | if i % 4 == 3 { WHOLE } else { 0 };
            material.base.w = [0.35, 0.8, 0.1, 1.0, 0.6][i % 5];
            material.parameters.w = if i % 3 == 0 { 0.75 } else { material.parameters.w };
        }
        all
    })
}

pub fn lamplit(around: u32) -> World {
    let lamp = |x, y, z, reach, light| Lamp::lantern(Vec3::new(x, y, z), reach, light);
    let warm = lamp(-1.2, 2.6, 1.4, 6.0, Vec3::new(3.0, 1.6, 0.7));
    let lamps = vec![warm, lamp(2.9, 0.15, -1.1, 3.5, Vec3::new(0.2, 0.5, 0.9))];
    World { lamps, ..gallery(around) }
}

pub fn file_lit(around: u32) -> World {
    let kind = LampKind::Point as u32;
    let point = Lamp { kind, ..Lamp::lantern(Vec3::new(-1.4, 2.2, 1.2), 4.0, Vec3::new(9.0, 40.0, 12.0)) };
    let [inner, outer] = [0.28_f32, 0.56].map(f32::cos);
    let cone_scale = 1.0 / (inner - outer);
    let spot = Lamp {
        kind,
        axis: Vec3::new(-0.3, 0.9, 0.2).normalize(),
        cone_scale,
        cone_offset: -outer * cone_scale,
        near: 1e-4,
        ..Lamp::lantern(Vec3::new(0.9, 3.5, 0.2), 1e9, Vec3::new(90.0, 20.0, 60.0))
    };
    let far = Lamp {
        kind: LampKind::Directional as u32,
        axis: Vec3::new(-0.8, 0.3, 0.5).normalize(),
        ..Lamp::lantern(Vec3::ZERO, 1.0, Vec3::new(0.5, 1.5, 6.0))
    };
    World { lamps: vec![point, spot, far], ..gallery(around) }
}

pub fn starry(around: u32) -> World {
    let up = Viewpoint {
        target: Vec3::new(0.0, 12.0, -1.0),
        orbit: 12.0,
        height: -65.0,
        distance: 10.5,
        angle: 40.0,
        ..Viewpoint::default()
    };
    World { viewpoint: up, ..lamplit(around) }
}

fn shown(around: u32, materials: impl Fn(&mut Builder) -> Vec<Material>) -> World {
    let mut builder = Builder::new();
    let materials = materials(&mut builder);
    let (corners, indices) = sphere(around);
    let ball = builder.mesh(corners, indices).unwrap_or_default();
    let (corners, indices) = floor(24);
    let ground = builder.mesh(corners, indices).unwrap_or_default();
    for material in &materials {
        builder.material(*material);
    }
    let stone = Material { base: glam::Vec4::new(0.42, 0.40, 0.37, 1.0), roughness: 0.75, ..Material::default() };
    let stone = builder.material(stone);
    let mut place = |mesh, matrix: Mat4, material| {
        if let Err(problem) = builder.place(mesh, matrix, material) {
            log::error!("gallery: {problem}");
        }
    };
    place(ground, Mat4::IDENTITY, stone);
    for i in 0..materials.len() as u32 {
        let (column, row) = ((i % 5) as f32 - 2.0, (i / 5) as f32);
        let size = Vec3::new(1.0, 1.0 + 0.1 * (i % 3) as f32, if i == 3 { -1.0 } else { 1.0 }) * 0.8;
        let at = Vec3::new(column * 1.9, size.y + 0.02, row * -2.2);
        let turn = Mat4::from_rotation_y(0.4 * i as f32) * Mat4::from_rotation_x(if i == 8 { 0.7 } else { 0.0 });
        place(ball, Mat4::from_translation(at) * turn * Mat4::from_scale(size), i);
    }
    let target = Vec3::new(0.0, 0.9, -1.0);
    builder.finish(Viewpoint { target, orbit: 12.0, height: 14.0, distance: 10.5, angle: 40.0, ..Viewpoint::default() })
}

/// In lengths of the ray.
fn hit(origin: Vec3, ray: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (side1, side2) = (b - a, c - a);
    let plane = side1.cross(side2);
    let facing = ray.dot(plane);
    if facing >= 0.0 {
        return None;
    }
    let from = origin - a;
    let t = -from.dot(plane) / facing;
    let turned = ray.cross(from);
    let (u, v) = (side2.dot(turned) / facing, -side1.dot(turned) / facing);
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 1e-4).then_some(t)
}

pub fn cast(world: &World, origin: Vec3, ray: Vec3) -> (u32, f32) {
    let mut nearest = (0, f32::INFINITY);
    met(world, origin, ray, &mut |id, t| {
        if t < nearest.1 {
            nearest = (id, t);
        }
    });
    nearest
}

pub fn cast_layers<const N: usize>(world: &World, origin: Vec3, ray: Vec3) -> [u32; N] {
    let (mut all, mut wall) = (vec![], f32::INFINITY);
    met(world, origin, ray, &mut |id, t| {
        let placed = world.meshlet_instances[VisibilityId(id).meshlet_key() as usize - 1];
        match world.materials[world.instances[placed.instance as usize].material as usize].alpha_mode() {
            AlphaMode::Blend => all.push((t, id)),
            _ => wall = wall.min(t),
        }
    });
    all.retain(|(t, _)| *t < wall);
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    std::array::from_fn(|k| all.get(k).map_or(0, |(_, id)| *id))
}

fn met(world: &World, origin: Vec3, ray: Vec3, each: &mut dyn FnMut(u32, f32)) {
    let length2 = ray.length_squared();
    for (number, placed) in world.meshlet_instances.iter().enumerate() {
        let (instance, meshlet) =
            (&world.instances[placed.instance as usize], &world.geometry.meshlets[placed.meshlet as usize]);
        let (to, radius) = (instance.point(meshlet.center) - origin, meshlet.radius * instance.scale);
        let along = to.dot(ray) / length2;
        if (to - ray * along).length_squared() > radius * radius * 1.001 {
            continue;
        }
        for triangle in 0..meshlet.triangles {
            let corners = world.geometry.corners(meshlet, triangle);
            let corners = corners.map(|vertex| instance.point(world.geometry.vertices[vertex].position));
            if let Some(t) = hit(origin, ray, corners) {
                each(VisibilityId::new(number as u32, triangle).0, t);
            }
        }
    }
}
