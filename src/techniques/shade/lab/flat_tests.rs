//! Tests of flat pictures of light: shown by exposure and tone curve as the reference says, and only when something changes.

use super::reference::tone::{grain, toned};
use crate::{Shade, ShadeSettings, Tone};
use glam::Vec3;
use gpu::{Format, Image, ImageDesc, Use};
use lab::TestBench;
use media::light_picture::LightPicture;
use technique::Technique;

fn ramp(size: [u32; 2]) -> LightPicture {
    let count = size[0] * size[1];
    let texel = |i: u32| {
        let value = 2_f32.powf(24.0 * i as f32 / count as f32 - 12.0);
        [value, 0.5 * value, if i.is_multiple_of(5) { 0.0 } else { 0.125 * value }]
    };
    LightPicture { size, texels: (0..count).map(texel).collect() }
}

#[test]
fn flat_light_is_shown_as_the_reference_says() {
    let mut bench = TestBench::validated();
    let gpu = bench.gpu().clone();
    let mut shade = Shade::new(&gpu).unwrap();
    let size = [61, 33];
    let desc = ImageDesc::new("picture", size, Format::Rgba8, &[Use::Color, Use::Storage, Use::Sample]);
    let picture = Image::new(&gpu, desc.aliases(&[Format::R32U])).unwrap();
    let light = ramp(size);
    bench.run(|frame| shade.show_light(frame, Some(&light))).unwrap();
    let all = [Tone::Film, Tone::Aces, Tone::Reinhard, Tone::None];
    for (tone, ev) in all.into_iter().flat_map(|tone| [(tone, 0.0_f32), (tone, -3.0)]) {
        let settings = ShadeSettings { tone, exposure: ev, ..Default::default() };
        assert!(bench.run(|frame| shade.tone_flat(frame, &settings, &picture.mip(0))).unwrap());
        assert!(!bench.run(|frame| shade.tone_flat(frame, &settings, &picture.mip(0))).unwrap(), "it is there");
        let shown: Vec<[u8; 4]> = bench.read(&picture.mip(0)).unwrap();
        for (at, (texel, shown)) in light.texels.iter().zip(&shown).enumerate() {
            let (x, y) = (at as u32 % size[0], at as u32 / size[0]);
            // White paper is 1: times 6 in the scene's unit, a quarter of that exposed. Half floats keep 11 bits.
            let wanted = toned(Vec3::from_array(*texel) * 1.5 * ev.exp2(), tone) * 255.0 + grain(x, y);
            for channel in 0..3 {
                let (wanted, shown) = (wanted[channel].clamp(0.0, 255.0), f32::from(shown[channel]));
                assert!((wanted - shown).abs() <= 0.75, "{tone:?} {ev} at {x},{y}: {wanted} {shown}");
            }
        }
    }
    bench.run(|frame| shade.show_light(frame, None)).unwrap();
    let nothing = bench.run(|frame| shade.tone_flat(frame, &ShadeSettings::default(), &picture.mip(0))).unwrap();
    assert!(!nothing, "display values are left as they are");
}
