//! Test of mirrors with fewer rays in a moving picture: at rest the picture is the one with all rays, bit for bit.

use crate::{
    base::settings::parse_set,
    gpu::{Format, Frames, Gpu, Image, ImageDesc, Use},
    renderer::{Background, FrameParams, FramePlan, LoadMode, Renderer, WorldLoader},
    techniques::Settings,
};

/// Pictures after a movement, and after the rest that follows it.
fn pictures(rate: &str) -> [Vec<[u8; 4]>; 2] {
    let gpu = Gpu::headless(true).unwrap();
    let (messages, size) = (gpu.messages(), [160, 90]);
    let worlds = WorldLoader::new(None, LoadMode::Block);
    let mut renderer = Renderer::new(&gpu, Background::new(None, LoadMode::Block), worlds).unwrap();
    let mut settings = Settings::default();
    let rate = format!("reflections.rate={rate}");
    for set in ["scene.place=court", "antialias.samples=4", "reflections.work=words", "meshlets.by=compute", &rate] {
        settings.lay(parse_set(set).unwrap()).unwrap();
    }
    let target = ImageDesc::new("target", size, Format::Rgba8, &[Use::Color]);
    let target = Image::new(&gpu, target).unwrap().mip(0);
    let mut frames = Frames::new(&gpu, 1);
    let mut draw = |drifted_s: f32| {
        let params = FrameParams { plan: FramePlan::WHOLE, drifted_s, ..FrameParams::of(&settings, &[]) };
        frames.once(|frame| renderer.record(frame, &params, &target)).unwrap();
        frames.once(|frame| frame.read_image(&target)).unwrap().0.read::<[u8; 4]>().unwrap()
    };
    let moved = (0..5).map(|step| draw(0.2 * step as f32)).last().unwrap();
    let rested = (0..6).map(|_| draw(0.8)).last().unwrap();
    drop((frames, renderer));
    drop(gpu);
    assert_eq!(messages.all(), Vec::<String>::new());
    [moved, rested]
}

#[test]
fn mirrors_with_fewer_rays_in_motion_are_whole_at_rest() {
    let [[moved, rested], [whole_moved, whole_rested]] = ["auto", "full"].map(pictures);
    let differ = moved.iter().zip(&whole_moved).filter(|(a, b)| a != b).count();
    assert!(differ > 100, "{differ} pixels of the moving picture");
    let differ = rested.iter().zip(&whole_rested).filter(|(a, b)| a != b).count();
    assert_eq!(differ, 0, "pixels at rest");
}
