//! Tests of panels: light with dark text over white paper, of glass or not. H hides those of glass, which have a strip of scenes
//! to click.

use super::desktop::above_strip;
use super::{Demo, HOME, SIZE, changed, desktop, within};
use base::srgb::decode;
use media::picture::Picture;

/// The seventh scene, the last of the first row.
const DUSK: [i32; 2] = [380, 535];

/// The middle luminance of a part of the picture.
fn luminance(picture: &Picture, [left, top, right, bottom]: [u32; 4]) -> f32 {
    let pixels = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    let mut all: Vec<f32> = pixels
        .map(|(x, y)| picture.pixel(x, y))
        .map(|p| [0.2126, 0.7152, 0.0722].iter().zip(p).map(|(part, c)| part * decode(f32::from(c) / 255.0)).sum())
        .collect();
    all.sort_by(f32::total_cmp);
    all[all.len() / 2]
}

#[test]
fn panels_of_glass_are_legible_and_a_scene_is_clicked() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    let options =
        "--validate --set display.panels=glass --set scene.motif=paper --set glass.adaptive=0 --set glass.shadow=0";
    let demo = Demo::start(&desktop, options);
    demo.point(&desktop, [10, 10]);
    desktop.after(&empty, "the window shows something");
    // Between the dock's left edge and its rows, and the left border of the strip of scenes.
    let right = SIZE[0] - 12;
    let of_dock = |shown: &Picture| luminance(shown, [right - 303, 60, right - 300, SIZE[1] - 60]);
    // The name of the program.
    let darkest_of_head = |shown: &Picture| {
        let pixels = (24..50).flat_map(|y| (right - 290..right - 220).map(move |x| (x, y)));
        let brightest =
            |(x, y)| shown.pixel(x, y).iter().take(3).map(|c| decode(f32::from(*c) / 255.0)).fold(0.0, f32::max);
        pixels.map(brightest).fold(1.0, f32::min)
    };
    // Panels fade in, and on a busy machine the screen may be static meanwhile.
    let mut dock = 0.0;
    let panels = within(|| {
        let shown = desktop.still();
        dock = of_dock(&shown);
        (0.69..1.0).contains(&dock).then_some(shown).filter(|shown| darkest_of_head(shown) < 0.06)
    });
    assert!(panels.is_some(), "dark text has a contrast of 4.5 on a luminance of 0.69: {dock}");
    // The brightness below the panels may still be followed.
    let panels = desktop.still();
    let bar = luminance(&panels, [14, 560, 17, 575]);
    assert!(bar > 0.5, "and so has that of the strip: {bar}");
    demo.key(&desktop, "h");
    let is_gone =
        || changed(&panels, &desktop.still()).is_some_and(|[.., right, _]| right > SIZE[0] as i32 - 40).then_some(());
    assert!(within(is_gone).is_some(), "paper is seen where the dock was");
    demo.key(&desktop, "h");
    // Except for the figures of time in the dock.
    let is_as_before = |what: &str| {
        let dock = SIZE[0] as i32 - 330;
        let same = || changed(&above_strip(&panels), &above_strip(&desktop.picture()));
        let same = || same().is_none_or(|[left, ..]| left >= dock).then_some(());
        assert!(within(same).is_some(), "{what}");
    };
    is_as_before("and come again");
    demo.point(&desktop, DUSK);
    let pointed = desktop.after(&panels, "the scene is marked");
    desktop.hand("click 1");
    desktop.after(&pointed, "a click shows it");
    demo.point(&desktop, [10, 10]);
    let dusk = desktop.still();
    let [left, top, ..] = changed(&panels, &dusk).expect("it changed");
    assert!(left < HOME[0] && top < HOME[1], "the picture has changed: {left} {top}");
    demo.key(&desktop, "ctrl+z");
    is_as_before("Ctrl+Z takes it back");
    // A frame that lasts longer than the hand takes from a click to a key.
    demo.signal("STOP");
    demo.point(&desktop, DUSK);
    desktop.hand("click 1");
    demo.key(&desktop, "ctrl+z");
    demo.point(&desktop, [10, 10]);
    demo.signal("CONT");
    is_as_before("Ctrl+Z after a click takes that click back");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}

/// Default panels: on a software driver they are flat, and still light over a bright picture.
#[test]
fn panels_follow_the_picture_whatever_they_are_made_of() {
    let Some(desktop) = desktop() else { return };
    let dock = |shown: &Picture| luminance(shown, [SIZE[0] - 40, 60, SIZE[0] - 30, SIZE[1] - 60]);
    for (motif, style, is_bright) in
        [("paper", "auto", true), ("dusk", "auto", false), ("paper", "flat", false), ("code", "auto", false)]
    {
        let empty = desktop.picture();
        let demo = Demo::start(&desktop, &format!("--set scene.motif={motif} --set display.panels={style}"));
        demo.point(&desktop, [10, 10]);
        desktop.after(&empty, "the window shows something");
        let mut found = 0.0;
        let is_so = || {
            found = dock(&desktop.still());
            (if is_bright { found > 0.6 } else { found < 0.1 }).then_some(())
        };
        assert!(within(is_so).is_some(), "{motif} {style}: {found}");
        let shown = desktop.picture();
        assert_eq!(demo.quit(&desktop).0, Some(0));
        desktop.after(&shown, "the window closes");
    }
}
