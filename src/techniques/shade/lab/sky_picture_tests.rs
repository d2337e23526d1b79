//! Tests of a picture as the sky: background, map, mirrors and light on surfaces against the reference, pixel by pixel.

use super::{
    check_fixture::{Fixture, ReferenceScene, light_of},
    reference::{
        gallery::{cast, gallery},
        kinds::shaded,
        map::Sky,
        sky_picture::{MAP_SPREAD, picture_radiance},
    },
};
use crate::{Shade, ShadeSettings, Work, sky_picture::SkyPicture};
use glam::Vec3;
use lab::TestBench;
use media::{difference::Errors, light_picture::LightPicture, pixels::pixels_of};
use std::sync::Arc;
use technique::Technique;

const SIZE: [u32; 2] = [97, 61];
const SHADOW: u32 = 40;

fn panorama() -> Arc<LightPicture> {
    let size = [256, 128];
    let texel = |i: u32| {
        let (x, y) = ((i % size[0]) as f32 / 256.0, (i / size[0]) as f32 / 128.0);
        let spot = (-((x - 0.6).powi(2) * 4.0 + (y - 0.25).powi(2)) * 400.0).exp() * 60.0;
        let sky = if y < 0.5 { [0.2 + 0.3 * y, 0.4 + 0.2 * y, 0.9] } else { [0.3, 0.2, 0.1] };
        let red = if x < 0.25 { 0.5 } else { 0.0 };
        [sky[0] + red + spot, sky[1] + spot, sky[2] + 0.8 * spot]
    };
    Arc::new(LightPicture { size, texels: (0..size[0] * size[1]).map(texel).collect() })
}

fn error(expected: Vec3, found: Vec3) -> f64 {
    f64::from((expected - found).abs().max_element() / expected.max_element().max(0.6))
}

#[test]
fn a_world_below_a_picture_is_as_the_reference_says() {
    let mut bench = TestBench::validated();
    let gpu = bench.gpu().clone();
    let settings = ShadeSettings { split: Some(false), ..Default::default() };
    let picture = panorama();
    let sky = SkyPicture::new(&picture);
    let mut reference = ReferenceScene::new(&settings, SIZE, SHADOW, gallery(24));
    reference.scene = sky.lit(&reference.scene, &settings);
    reference.set_sky(Sky::of(|d| picture_radiance(&sky.levels, d, MAP_SPREAD)));
    let (around, scene) = (reference.surroundings(), &reference.scene);
    let pixel = |at: [u32; 2]| {
        let ray = scene.ray(at);
        match cast(around.world, scene.eye, ray).0 {
            0 => (true, picture_radiance(&sky.levels, ray.normalize(), scene.ray_right.length())),
            id => (false, shaded(&around, id, at)),
        }
    };
    let expected: Vec<(bool, Vec3)> = pixels_of(SIZE).map(pixel).collect();
    let background = expected.iter().filter(|(is_background, _)| *is_background).count();
    let surfaces = expected.len() - background;
    assert!(background > 500 && surfaces > 500, "{background} pixels of the sky, {surfaces} of surfaces");
    let fixture = Fixture::new(&mut bench, SIZE, gallery(24), SHADOW).unwrap();
    let mut shade = Shade::new(&gpu).unwrap();
    let draw = |bench: &mut TestBench, shade: &mut Shade, picture: Option<&Arc<LightPicture>>| {
        let hdr = bench.run(|frame| {
            shade.set_sky(frame, picture)?;
            shade.record(frame, &settings, &fixture.scene(), &fixture.id_image, &Work::Raster)
        });
        light_of(&bench.read::<u16>(&hdr.unwrap()).unwrap())
    };
    let without = draw(&mut bench, &mut shade, None);
    let found = draw(&mut bench, &mut shade, Some(&picture));
    assert_eq!(found.len(), expected.len());
    let errors = |of_background: bool| {
        let part = expected.iter().zip(&found).filter(|((is_background, _), _)| *is_background == of_background);
        Errors::of(part.map(|((_, wanted), found)| error(*wanted, *found)))
    };
    // Filters of GPUs weigh in steps of 1/256, half floats keep 11 bits.
    let [of_background, of_surfaces] = [true, false].map(errors);
    assert!(of_background.part(0.99) < 0.02, "background: {of_background:?}");
    assert!(of_surfaces.part(0.99) < 0.02 && of_surfaces.part(0.5) < 0.004, "surfaces: {of_surfaces:?}");
    assert!(Errors::of(without.iter().zip(&found).map(|(a, b)| error(*a, *b))).part(0.5) > 0.1);
    assert_eq!(draw(&mut bench, &mut shade, None), without);
}
