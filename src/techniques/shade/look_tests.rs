//! Rendering of the gallery as a picture; larger, with every view, into the folder that MENISCUS_PICTURES names.

use super::{Shade, ShadeSettings, Work, check_fixture::Fixture, reference::gallery::gallery};
use crate::{
    base::picture::Picture,
    gpu::{Format, Image, ImageDesc, Options, Use},
    lab::{Caches, TestBench},
    techniques::Technique,
};

#[test]
fn the_gallery_is_lit() {
    let folder = std::env::var_os("MENISCUS_PICTURES").map(std::path::PathBuf::from);
    let size = if folder.is_some() { [960, 540] } else { [160, 90] };
    let mut bench = TestBench::new(&Options::default()).unwrap();
    let mut shade = Shade::new(bench.gpu()).unwrap();
    let fixture = Fixture::new(&mut bench, size, gallery(48), if folder.is_some() { 256 } else { 64 }).unwrap();
    let weight = std::env::var("WEIGHT").ok().and_then(|w| w.parse().ok()).unwrap_or(1);
    let settings = ShadeSettings { weight, ..Default::default() };
    let (scene, ids) = (fixture.scene(), &fixture.id_image);
    let hdr = bench.run(|frame| shade.record(frame, &settings, &scene, ids, &Work::Raster)).unwrap();
    let uses = [Use::Color, Use::Storage];
    let image = Image::new(bench.gpu(), ImageDesc::new("picture", size, Format::Rgba8, &uses)).unwrap();
    let save = |bench: &mut TestBench, name: &str| {
        let picture = Picture { size, rgba: bench.read(&image.mip(0)).unwrap() };
        if let Some(folder) = &folder {
            picture.save_png(&folder.join(format!("{name}.png"))).unwrap();
        }
        picture
    };
    bench.run(|frame| shade.tone(frame, &settings, &hdr, &image.mip(0))).unwrap();
    let picture = save(&mut bench, "shade");
    let mean = |y: std::ops::Range<u32>, channel: usize| {
        let all: Vec<f64> = y
            .flat_map(|y| (0..size[0]).map(move |x| (x, y)))
            .map(|(x, y)| f64::from(picture.pixel(x, y)[channel]))
            .collect();
        all.iter().sum::<f64>() / all.len() as f64
    };
    let top = 0..size[1] / 10;
    assert!(mean(top.clone(), 2) > mean(top.clone(), 0) + 20.0, "the sky is not blue");
    let floor = size[1] * 9 / 10..size[1];
    assert!((60.0..240.0).contains(&mean(floor.clone(), 1)), "the floor is {}", mean(floor, 1));
    for view in Shade::VIEWS {
        bench.run(|frame| shade.view(frame, view.name, &settings, &scene, ids, &hdr, &image.mip(0))).unwrap();
        let shown = save(&mut bench, &format!("shade_{}", view.name));
        assert!(shown.rgba != picture.rgba, "{} shows the picture", view.name);
    }
    if folder.is_some() {
        let record =
            |frame: &mut crate::gpu::Frame| shade.record(frame, &settings, &scene, ids, &Work::Raster).map(drop);
        eprintln!("raster, {size:?}: {:?}", bench.measure(5, Caches::Warm, record).unwrap());
    }
}
