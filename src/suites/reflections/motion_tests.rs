//! Test of mirrors with fewer rays in a moving picture.

use ab::test_stage::{renderer, with};
use gpu::{Format, Frames, Image, ImageDesc, Use, test_gpu};
use renderer::{FrameParams, FramePlan};
use techniques::Settings;

fn pictures(rate: &str) -> [Vec<[u8; 4]>; 2] {
    let gpu = test_gpu();
    let size = [160, 90];
    let mut renderer = renderer(&gpu);
    let rate = format!("reflections.rate={rate}");
    let sets = ["scene.place=court", "antialias.samples=16", "reflections.work=path", "meshlets.by=compute", &rate];
    let settings = with(&Settings::default(), &sets);
    let target = ImageDesc::new("target", size, Format::Rgba8, &[Use::Color]);
    let target = Image::new(&gpu, target).unwrap().mip(0);
    let mut frames = Frames::new(&gpu, 1);
    let mut draw = |drifted_s: f32| {
        let params = FrameParams { plan: FramePlan::WHOLE, drifted_s, ..FrameParams::of(&settings, &[]) };
        frames.once(|frame| renderer.record(frame, &params, &target)).unwrap();
        frames.once(|frame| frame.read_image(&target)).unwrap().0.read::<[u8; 4]>().unwrap()
    };
    let moved = (0..5).map(|step| draw(0.2 * step as f32)).last().unwrap();
    let rested = (0..RESTS).map(|_| draw(0.8)).last().unwrap();
    drop((frames, renderer));
    [moved, rested]
}

/// Frames at rest, and what the moving picture before them counts for (`FROM_MOTION` of src/techniques/antialias/passes/history.rs).
const RESTS: u32 = 16;
const FROM_MOTION: f64 = 4.0;

/// At rest every pixel of a mirror has a ray, so all frames add the same to both pictures: their difference becomes the
/// share of the motion. It is averaged on a curve within 0.03 of the display's, whose slopes differ by a factor of two
/// at most; each picture is rounded.
#[test]
fn mirrors_with_fewer_rays_in_motion_are_whole_at_rest() {
    let [[moved, rested], [whole_moved, whole_rested]] = ["shared", "full"].map(pictures);
    let off = |a: &[u8; 4], b: &[u8; 4]| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or_default();
    let differ = moved.iter().zip(&whole_moved).filter(|(a, b)| a != b).count();
    assert!(differ > 100, "{differ} pixels of the moving picture");
    let part = 2.0 * FROM_MOTION / (FROM_MOTION + f64::from(RESTS));
    let pairs = moved.iter().zip(&whole_moved).zip(rested.iter().zip(&whole_rested));
    let wrong = pairs.filter(|(m, r)| f64::from(off(r.0, r.1)) > part * f64::from(off(m.0, m.1)) + 2.0).count();
    assert_eq!(wrong, 0, "pixels at rest, of {differ} that differed in motion");
}
