//! Tests of the steps of a pixel: the looks add up, refraction follows Snell's law, every place of a lens has steps.

use super::*;
use crate::techniques::glass::lab::checks::test_picture;
use crate::techniques::glass::lab::reference::GlassScene;
use crate::techniques::glass::lab::reference::picture::Picture;
use crate::{scene::Lens, techniques::ReplayStep};
use glam::Vec2;

fn steps_at(at: [u32; 2], settings: &GlassSettings, picture: &Picture) -> Vec<ReplayStep> {
    let lenses = [Lens { center: Vec2::new(60.0, 40.0), ..Lens::default() }.sized(Vec2::new(68.0, 52.0))];
    let frag = UVec2::from_array(at).as_vec2() + 0.5;
    let subject = Subject { settings, picture, frag, lenses: &lenses, scale: 0.5 };
    let glass = Glass::new(&GlassScene::new(settings, &lenses, 0.5));
    let mut below = Below::new(picture, &glass);
    let mut steps = optics_steps::steps(&subject, &glass, &below);
    steps.extend(layers::steps(&subject, &glass, &mut below));
    steps
}

fn figure(steps: &[ReplayStep], step: &str, name: &str) -> f64 {
    let found = steps.iter().find(|one| one.name == step).unwrap();
    let (_, value) = found.figures.iter().find(|(figure, _)| *figure == name).unwrap();
    value.parse().unwrap()
}

#[test]
fn every_place_of_a_lens_has_steps() {
    let picture = test_picture(UVec2::new(121, 83));
    let settings = GlassSettings { frost: 0.5, ..GlassSettings::default() };
    for (at, count) in [([60, 40], 9), ([28, 40], 10), ([60, 15], 10), ([0, 0], 2), ([120, 82], 2)] {
        let steps = steps_at(at, &settings, &picture);
        assert_eq!(steps.len(), count, "{at:?}: {:?}", steps.iter().map(|step| &step.name).collect::<Vec<_>>());
        for step in &steps {
            assert!(step.sentence.ends_with('.') && !step.sentence.contains("NaN"), "{at:?}: {}", step.sentence);
            let drawings = step.grids.iter().flat_map(|grid| &grid.drawings);
            for place in drawings.flat_map(|drawing| &drawing.points).flatten() {
                assert!(place.is_finite(), "{at:?}: {}", step.name);
            }
        }
    }
}

#[test]
fn the_ray_follows_snells_law_and_the_looks_their_sum() {
    let picture = test_picture(UVec2::new(121, 83));
    for frost in [0.5, 6.0] {
        let settings = GlassSettings { frost, ..GlassSettings::default() };
        for at in [[28, 40], [31, 44], [91, 40], [60, 16]] {
            let steps = steps_at(at, &settings, &picture);
            let [outside, inside] =
                ["sine outside", "index times sine inside"].map(|name| figure(&steps, "Refract", name));
            assert!((outside - inside).abs() < 2e-4 && outside > 0.0, "{at:?}: {outside} {inside}");
            let of = |name: &str| steps.iter().find(|step| step.name == name).unwrap();
            let (sum, layers) = (&of("Weigh and add").figures[0].1, &of("Colour of the glass").grids[0].cells);
            let numbers = |text: &str| text.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<f32>>();
            for (a, b) in numbers(sum).into_iter().zip(numbers(&layers[2].text)) {
                assert!((a - b).abs() < 2e-3, "{at:?}: {sum}, {}", layers[2].text);
            }
        }
    }
}
