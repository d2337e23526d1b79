//! Tests of the pointer: drags that leave the window, and the buttons for back and forward.

use super::desktop::{Desktop, changed};
use super::{Demo, HOME, SIZE, desktop};

/// Right of the window, on the screen.
const OUTSIDE: [i32; 2] = [SIZE[0] as i32 + 140, 300];

/// Moves the pointer from place to place, with the button down from the first one on.
fn hold(desktop: &Desktop, demo: &Demo, places: &[[i32; 2]]) {
    for (index, place) in places.iter().enumerate() {
        demo.point(desktop, *place);
        if index == 0 {
            desktop.hand("mousedown 1 sleep 0.1");
        }
    }
}

#[test]
fn a_drag_goes_on_outside_of_the_window_and_the_side_buttons_undo_and_redo_it() {
    let Some(desktop) = desktop() else { return };
    let options = "--validate --set glass.half_width=110 --set glass.half_height=80 --set glass.adaptive=0 \
                   --set glass.melt=0";
    let empty = desktop.picture();
    let demo = Demo::start(&desktop, options);
    let panels = desktop.after(&empty, "the window shows something");
    let one = demo.hide_panels(&desktop, &panels);
    let (away, to) = ([10, 10], [600, 340]);
    demo.drag(&desktop, HOME, to);
    demo.point(&desktop, away);
    let moved = desktop.after(&one, "the lens is dragged");
    desktop.hand("click 8");
    desktop.shows(&one, "back undoes the drag");
    desktop.hand("click 9");
    desktop.shows(&moved, "forward redoes it");
    desktop.hand("click 8");
    desktop.shows(&one, "back again");

    hold(&desktop, &demo, &[HOME, [700, 320], OUTSIDE, to]);
    desktop.hand("mouseup 1");
    demo.point(&desktop, away);
    desktop.shows(&moved, "out of the window and back in");
    desktop.hand("click 8");
    desktop.shows(&one, "one step of the history");

    hold(&desktop, &demo, &[HOME, [700, 320], OUTSIDE]);
    desktop.hand("mouseup 1");
    demo.point(&desktop, away);
    let left = desktop.after(&one, "let go outside");
    let Some([_, _, right, _]) = changed(&one, &left) else { panic!("nothing changed") };
    assert_eq!(right, SIZE[0] as i32 - 1, "it stays at the border");
    demo.point(&desktop, [60, 40]);
    desktop.shows(&left, "and follows no more");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}
