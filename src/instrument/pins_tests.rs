//! Tests of pins.

use super::*;
use super::{pins::automatic, texels::clamped};
use glam::Vec2;
use gpu::{Format, Image, ImageDesc, Use};
use lab::TestBench;
use std::time::Duration;

#[test]
fn pins_show_what_a_pass_wrote() {
    let mut bench = TestBench::validated();
    let gpu = bench.gpu().clone();
    let mut pins = Pins::new(&gpu);
    pins.refresh_every(Duration::ZERO);
    let desc = |name, format| ImageDesc::new(name, [8, 4], format, &[Use::Sample, Use::Color]);
    let image = Image::new(&gpu, desc("written", Format::R32F)).unwrap().mip(0);
    let target = Image::new(&gpu, desc("target", Format::Rgba8)).unwrap().mip(0);
    let view = PictureView { look: PictureLook::Grey, channel: 0, range: [0.0, 1.0], origin: Vec2::ZERO, step: 1.0 };
    let picture = PinPicture { rect: [0, 0, 8, 4], view, is_automatic: false };
    let pin =
        Pin { id: 7, point: CapturePoint::new("write", "to"), picture: Some(picture), texels: Some([6, 1, 9, 2]) };
    let mut frame = |pins: &mut Pins, value: f32| {
        let number = bench.run(|frame| {
            pins.begin(frame);
            frame.clear("clear", &target, [0.0; 4])?;
            frame.clear("write", &image, [value; 4])?;
            pins.end(frame, &target)?;
            pins.draw(frame, &target)?;
            Ok(frame.number())
        });
        pins.on_frame_end(number.unwrap()).unwrap();
        bench.read::<[u8; 4]>(&target).unwrap()
    };
    assert_eq!(frame(&mut pins, 1.0), [[0; 4]; 32]);
    assert!(pins.passes().is_empty());
    pins.set(vec![pin.clone()], vec!["write".into()]);
    for value in [1.0, 0.0, 1.0] {
        let grey = if value > 0.0 { 255 } else { 0 };
        assert_eq!(frame(&mut pins, value), [[grey, grey, grey, 255]; 32]);
        let result = &pins.results()[&7];
        assert_eq!(result.image, Some(([8, 4], Format::R32F)));
        let texels = result.texels.as_ref().unwrap();
        assert_eq!((texels.region, &texels.array.shape[..]), ([6, 1, 2, 2], &[2, 2][..]));
        assert_eq!(texels.array.bytes, value.to_ne_bytes().repeat(4));
    }
    assert_eq!(pins.results()[&7].figures.as_ref().unwrap().numbers, 32);
    assert_eq!(pins.passes().iter().map(|pass| pass.pass.as_str()).collect::<Vec<_>>(), ["clear", "write"]);
    pins.set(vec![Pin { point: CapturePoint::new("writes", "to"), ..pin.clone() }], vec!["writes".into()]);
    frame(&mut pins, 1.0);
    assert!(pins.results()[&7].problem.as_ref().unwrap().contains("did you mean \"write\"?"));
    pins.set(vec![Pin { point: CapturePoint::new("write", "from"), ..pin.clone() }], vec!["write".into()]);
    frame(&mut pins, 1.0);
    assert_eq!(pins.results()[&7].problem.as_deref(), Some("write runs without from in this frame."));
    pins.watch(Some([6, 3, 9, 9]));
    pins.set(vec![pin], vec!["write".into()]);
    frame(&mut pins, 1.0);
    let seen = pins.seen().unwrap();
    assert_eq!(
        (seen.texels.region, &seen.texels.array.bytes, seen.writer.as_str()),
        ([6, 3, 2, 1], &vec![0; 8], "clear")
    );
    pins.watch(None);
    assert_eq!(pins.seen(), None);
    frame(&mut pins, 1.0);
    pins.refresh_every(Duration::from_secs(3600));
    assert_eq!(frame(&mut pins, 0.0), [[255; 4]; 32]);
    pins.refresh_every(Duration::ZERO);
    assert_eq!(frame(&mut pins, 0.0), [[0, 0, 0, 255]; 32]);
    let before = CapturePoint { is_before: true, ..CapturePoint::new("write", "to") };
    pins.capture_once(vec![before.clone()]);
    frame(&mut pins, 1.0);
    assert!(pins.captured_once().get(&before).is_some());
    frame(&mut pins, 1.0);
    assert!(pins.captured_once().get(&before).is_none());
    pins.set(vec![], vec![]);
    assert_eq!((frame(&mut pins, 1.0), pins.results().get(&7)), (vec![[0; 4]; 32], None));
}

#[test]
fn ranges_are_automatic() {
    let figures =
        |low: f64, high: f64| Figures { range: Some([low, high]), numbers: 0, nans: 0, infinities: 0, buckets: vec![] };
    let view = |look| PictureView { look, channel: 0, range: [0.0, 1.0], origin: Vec2::ZERO, step: 1.0 };
    let grey = |figures: Option<&Figures>, format| automatic(figures, format, &view(PictureLook::Grey));
    assert_eq!(grey(None, Format::R32F), [0.0, 1.0]);
    assert_eq!(grey(Some(&figures(3.0, 3.0)), Format::R32F), [0.0, 1.0]);
    assert_eq!(grey(Some(&figures(-3.0, 5.0)), Format::Rgba8), [0.0, 1.0]);
    let light = automatic(Some(&figures(0.0, 8.0)), Format::Rgba16F, &view(PictureLook::Colour));
    assert_eq!(light, [0.0, 8.0], "without buckets a percentile is the largest number");
    assert_eq!(clamped([3, 4, 9, 9], [8, 4]), None);
    assert_eq!(clamped([3, 3, 9, 9], [8, 4]), Some([3, 3, 5, 1]));
}
