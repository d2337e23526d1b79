//! Tests of pairs on whole frames.

use super::step_tests::settings;
use super::test_stage::{SIZE, background, lens, renderer, target, worlds};
use super::{Pair, PairInput, PairLayout, PairTimes};
use crate::{
    gpu::{Frames, test_gpu},
    renderer::FrameParams,
    techniques::Output,
};
use glam::Vec2;

fn run(of_b: &[&str], size_b: [u32; 2], layout: PairLayout, count: u32) -> ([Vec<u8>; 3], PairTimes) {
    let gpu = test_gpu();
    let mut a = renderer(&gpu);
    let mut pair = Pair::new([&gpu, &gpu], background(), worlds()).unwrap();
    let mut frames = Frames::new(&gpu, 1);
    let target = target(&gpu, SIZE).mip(0);
    let always = ["scene.rerun=world"];
    let (settings_a, settings_b) = (settings(&always), settings(&[&always[..], of_b].concat()));
    let (lenses_a, lenses_b) = ([lens(&settings_a)], [lens(&settings_b)]);
    let (mut times, mut reads) = (PairTimes::default(), None);
    for _ in 0..count {
        let (params_a, params_b) = (FrameParams::of(&settings_a, &lenses_a), FrameParams::of(&settings_b, &lenses_b));
        let (read, timing) = frames
            .once(|frame| {
                let input = PairInput { renderer: &mut a, a: &params_a, b: &params_b, size_b, layout };
                let [picture_a, picture_b] = pair.record(frame, input, &target)?;
                let read = |frame: &mut crate::gpu::Frame, view| Output::from(view).read(frame);
                crate::gpu::Result::Ok([read(frame, &picture_a)?, read(frame, &picture_b)?, read(frame, &target)?])
            })
            .unwrap();
        pair.on_timing(&timing, &mut a).unwrap();
        times.push(&timing);
        reads = Some(read);
    }
    let pictures = reads.unwrap().map(|read| read.array().unwrap().bytes);
    (pictures, times)
}

#[test]
fn equal_sides_are_equal_and_have_the_same_passes() {
    let ([a, b, both], times) = run(&[], SIZE, PairLayout::Lens, 4);
    assert_eq!((&a, &b), (&b, &both));
    let rows = times.rows();
    assert!(rows.len() > 10);
    assert!(rows.iter().all(|row| row.a_us.is_some() && row.b_us.is_some() && row.difference.is_some()), "{rows:?}");
}

#[test]
fn the_lens_shows_b_and_the_rest_a() {
    let ([a, b, both], _) = run(&["shade.exposure=2"], SIZE, PairLayout::Lens, 2);
    let at = |picture: &[u8], x: usize, y: usize| picture[4 * (y * SIZE[0] as usize + x)..][..3].to_vec();
    let differing = (0..SIZE[1] as usize).flat_map(|y| (0..SIZE[0] as usize).map(move |x| (x, y)));
    let differing: Vec<_> = differing.filter(|(x, y)| at(&a, *x, *y) != at(&b, *x, *y)).collect();
    assert!(differing.len() > 2000, "{}", differing.len());
    for (x, y) in differing {
        let from_middle = Vec2::new(x as f32 - 49.5, y as f32 - 27.5).abs().max_element();
        if from_middle > 21.5 {
            assert_eq!(at(&both, x, y), at(&a, x, y), "{x},{y}");
        } else if from_middle < 12.0 {
            assert_eq!(at(&both, x, y), at(&b, x, y), "{x},{y}");
        }
    }
}

#[test]
fn b_may_have_another_size() {
    let ([a, b, both], _) = run(&[], [49, 28], PairLayout::Split(0.5), 2);
    assert_eq!((a.len(), b.len(), both.len()), (4 * 97 * 55, 4 * 49 * 28, 4 * 97 * 55));
    let row = 30;
    assert_eq!(both[4 * 97 * row..][..4 * 48], a[4 * 97 * row..][..4 * 48]);
    assert_eq!(both[4 * (97 * row + 96)..][..3], b[4 * (49 * (61 * 28 / 110) + 48)..][..3]);
}
