//! Tests of edits by pointer and key in one history, of keyboard layouts, and of the state saved by a signal.

use super::desktop::{above_strip, changed, found, within};
use super::{Demo, HOME, SIZE, desktop};
use std::fs;

/// Available at once: the built-in picture is painted after the window opens.
const IMAGE: &str = concat!("--image ", env!("CARGO_MANIFEST_DIR"), "/assets/textures/dusk.png");

#[test]
fn every_edit_is_undone_in_its_turn() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    let options = "--validate --set glass.half_width=110 --set glass.half_height=80 --set glass.adaptive=0 \
                   --set glass.melt=0";
    let demo = Demo::start(&desktop, &format!("{IMAGE} {options}"));
    let panels = desktop.after(&empty, "the window shows something");
    let mut screens = vec![demo.hide_panels(&desktop, &panels)];
    type Act = fn(&Demo, &super::desktop::Desktop);
    let acts: [(&str, Act); 6] = [
        ("a notch of the wheel", |demo, desktop| {
            demo.point(desktop, HOME);
            desktop.hand("click 4 sleep 0.05");
            demo.point(desktop, [10, 10]);
        }),
        ("a drag", |demo, desktop| {
            demo.drag(desktop, HOME, [300, 200]);
            demo.point(desktop, [10, 10]);
        }),
        ("a second lens", |demo, desktop| demo.key(desktop, "n")),
        ("it is removed", |demo, desktop| demo.key(desktop, "Delete")),
        ("the reference glass", |demo, desktop| demo.key(desktop, "7")),
        ("another preset leaves it", |demo, desktop| demo.key(desktop, "2")),
    ];
    for (what, act) in acts {
        act(&demo, &desktop);
        let before = screens.last().expect("the first");
        screens.push(desktop.after(before, what));
    }
    for (screen, (what, _)) in screens.iter().zip(acts).rev() {
        demo.key(&desktop, "ctrl+z");
        desktop.shows(screen, &format!("Ctrl+Z undoes: {what}"));
    }
    for (screen, (what, _)) in screens[1..].iter().zip(acts).take(3) {
        demo.key(&desktop, "ctrl+shift+z");
        desktop.shows(screen, &format!("Ctrl+Shift+Z makes it again: {what}"));
    }
    let lens = changed(&screens[5], &screens[6]);
    assert!(lens.is_some(), "the picture left the reference glass");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()));
}

#[test]
fn keys_reach_the_panels_and_changes_are_taken_back() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    let options =
        "--validate --set glass.half_width=110 --set glass.half_height=80 --set glass.adaptive=0 --set glass.shadow=0";
    let demo = Demo::start(&desktop, &format!("{IMAGE} {options}"));
    demo.point(&desktop, [10, 10]);
    let panels = desktop.after(&empty, "the window shows something");
    // The dock is 316 points wide and 12 from the border.
    let dock = SIZE[0] as i32 - 12 - 316;
    demo.key(&desktop, "F6");
    let marked = desktop.after(&panels, "F6 marks what has the keyboard");
    demo.key(&desktop, "F4");
    desktop.differs(&marked, "F4 opens another page");
    demo.key(&desktop, "F3 F3 shift+Right shift+Right");
    let inside = desktop.still();
    if let Some([left, ..]) = changed(&above_strip(&panels), &above_strip(&inside)) {
        assert!(left >= dock - 4, "arrows go to the panels, not to the lens: {left}");
    }
    // Key by key: on a busy machine the screen may be static between the two.
    demo.key(&desktop, "ctrl+Tab");
    let given = desktop.after(&inside, "Ctrl+Tab gives the keyboard back");
    let home = demo.hide_panels(&desktop, &given);
    demo.key(&desktop, "2");
    let frosted = desktop.after(&home, "a preset frosts the glass");
    demo.key(&desktop, "ctrl+z");
    desktop.shows(&home, "Ctrl+Z takes it back");
    demo.key(&desktop, "ctrl+shift+z");
    desktop.shows(&frosted, "Ctrl+Shift+Z makes it again");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}

/// Key codes of H and Q on a PC keyboard under X11: the layout decides what they write.
#[test]
fn keys_work_on_layouts_without_latin_letters_and_have_no_other_modifiers() {
    let Some(desktop) = desktop() else { return };
    if let Err(why) = found("setxkbmap") {
        eprintln!("skipped: {why}");
        return;
    }
    for layout in ["ru", "gr"] {
        let set = desktop.command("setxkbmap").arg(layout).status().expect("setxkbmap");
        assert!(set.success(), "{layout}");
        let empty = desktop.picture();
        let demo = Demo::start(&desktop, &format!("{IMAGE} --set glass.adaptive=0"));
        let panels = desktop.after(&empty, "the window shows something");
        demo.key(&desktop, "43");
        let hidden = desktop.hidden_after(&panels);
        for keys in ["37+43", "64+43"] {
            demo.key(&desktop, keys);
            assert!(desktop.still() == hidden, "Ctrl+H and Alt+H are not H");
        }
        demo.key(&desktop, "37+24");
        assert_eq!(demo.ended(), (Some(0), String::new()), "Ctrl+Q on {layout}");
        desktop.shows(&empty, "the window closes");
    }
}

#[test]
fn a_signal_or_a_sudden_end_loses_nothing() {
    let Some(desktop) = desktop() else { return };
    let file = desktop.home.join("meniscus/last.toml");
    let mode = || fs::read_to_string(&file).ok().filter(|text| text.contains("mode = \"source\""));
    // Not INT and QUIT: a shell's background jobs ignore them.
    for signal in ["TERM", "HUP", "USR2", "KILL"] {
        let _ = fs::remove_file(&file);
        let empty = desktop.picture();
        let demo = Demo::start(&desktop, &format!("{IMAGE} --set glass.adaptive=0"));
        let shown = desktop.after(&empty, "the window shows something");
        demo.key(&desktop, "space");
        desktop.differs(&shown, "the other glass");
        // Any other at once: before a change is written by itself.
        if signal == "KILL" {
            assert!(within(mode).is_some(), "written while the window is open");
        }
        // Twice, as `timeout` does: to its child, and to the group of both.
        demo.signal(signal);
        demo.signal(signal);
        let (code, said) = demo.ended();
        assert_eq!(said, "", "{signal}");
        assert_eq!(code, (signal != "KILL").then_some(0), "{signal}");
        desktop.shows(&empty, "the window is gone");
        assert!(mode().is_some(), "{signal}: the last change is kept");
    }
}
