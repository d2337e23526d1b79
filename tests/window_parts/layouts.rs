//! Tests of shortcuts on the layouts of real keyboards.

use super::desktop::{Desktop, changed};
use super::{Demo, HOME, desktop};
use std::process::Stdio;

/// A layout by its name in XKB, and the codes of its keys for Q and Z: without Latin letters, with Z elsewhere, with both and the digits
/// elsewhere. N, E, H and the digits are at the same place on all of these.
const LAYOUTS: [(&str, u8, u8); 3] = [("ru", 24, 52), ("de", 24, 29), ("fr", 38, 25)];

/// Codes of the keys that other layouts share.
const KEY_N: u8 = 57;
const KEY_E: u8 = 26;
const KEY_H: u8 = 43;
const KEY_TWO: u8 = 11;

fn set(desktop: &Desktop, layout: &str) -> bool {
    let status = desktop.command("setxkbmap").arg(layout).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[test]
fn shortcuts_work_on_every_layout() {
    let Some(desktop) = desktop() else { return };
    if !set(&desktop, "us") {
        return eprintln!("skipped: setxkbmap is missing");
    }
    let empty = desktop.picture();
    let options = "--validate --set glass.half_width=90 --set glass.half_height=50 --set glass.adaptive=0 \
                   --set glass.melt=0";
    let demo = Demo::start(&desktop, options);
    let shown = desktop.after(&empty, "the window shows something");
    demo.point(&desktop, [200, 170]);
    let one = demo.hide_panels(&desktop, &shown);
    for (layout, key_q, key_z) in LAYOUTS {
        assert!(set(&desktop, layout), "setxkbmap {layout}");
        let press = |code: u8| demo.key(&desktop, &code.to_string());
        let undo = || demo.key(&desktop, &format!("ctrl+{key_z}"));
        let acts = |code: u8, what: &str| {
            press(code);
            let after = desktop.after(&one, &format!("{layout}: {what}"));
            (changed(&one, &after), after)
        };
        let (Some([_, _, right, _]), _) = acts(KEY_N, "N makes a lens") else { panic!("{layout}: nothing") };
        assert!(right < HOME[0], "{layout}: at the pointer");
        undo();
        desktop.shows(&one, &format!("{layout}: Ctrl+Z undoes it"));
        acts(KEY_E, "E turns the lens");
        press(key_q);
        desktop.shows(&one, &format!("{layout}: Q turns it back"));
        acts(KEY_TWO, "the key of 2, without Shift, is the second glass");
        undo();
        desktop.shows(&one, &format!("{layout}: Ctrl+Z undoes it"));
        let (_, with_panels) = acts(KEY_H, "H shows the panels");
        press(KEY_H);
        desktop.hidden_after(&with_panels);
        desktop.shows(&one, &format!("{layout}: and hides them"));
    }
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}
