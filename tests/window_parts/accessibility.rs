//! Tests of the window with a screen reader, and with a desktop that asks for contrast. Skipped, with a line that says so, where
//! `dbus-daemon` or the accessibility bus are missing.

use super::desktop::{Desktop, changed, within};
use super::session_bus::{Portal, Reader, SessionBus};
use super::{Demo, SIZE, desktop};
use media::picture::Picture;
use zbus::zvariant::Value;

/// Left edge of the panels.
const PANELS: u32 = SIZE[0] - 330;

fn on_bus(desktop: &Desktop, bus: &SessionBus, options: &str) -> Demo {
    let size = format!("{}x{}", SIZE[0], SIZE[1]);
    let words = format!(
        "--fresh --size {size} --lens 300,300 --set scene.source=picture --set glass.adaptive=0 --set hand.reduced_motion=true {options}"
    );
    let words: Vec<&str> = words.split_whitespace().collect();
    Demo::launch_with(desktop, &words, "1", |command| bus.give_to(command))
}

fn bus(desktop: &Desktop) -> Option<SessionBus> {
    SessionBus::open(desktop).map_err(|why| eprintln!("skipped: {why}")).ok()
}

/// The picture and the lens, without the panels.
fn beside_panels(picture: &Picture) -> Picture {
    Picture::from_fn([PANELS, SIZE[1]], |x, y| picture.pixel(x, y))
}

#[test]
fn a_screen_reader_reads_the_lens_and_the_settings_and_changes_them() {
    let Some(desktop) = desktop() else { return };
    let Some(bus) = bus(&desktop) else { return };
    let empty = desktop.picture();
    let demo = on_bus(&desktop, &bus, "--validate");
    let shown = desktop.after(&empty, "the window shows something");
    let reader = match Reader::begin(&bus) {
        Ok(reader) => reader,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let Some(lens) = reader.find("Lens 1") else { panic!("no lens: {:?}", reader.tree()) };
    let becomes = |name: &str, wanted: f64| {
        let found = || reader.slider(name).and_then(|node| reader.value(&node));
        let equal = within(|| found().filter(|value| (value - wanted).abs() < 0.01));
        assert!(equal.is_some(), "{name} is {:?}, expected {wanted}", found());
    };
    becomes("Lens 1 from the left", 300.0);
    becomes("Lens 1 width", 380.0);
    assert!(within(|| reader.is_focused(&lens).then_some(())).is_some(), "keys apply to it");

    // Its number moves it; the field of the panels and that of the lens are the same.
    let from_left = reader.slider("Lens 1 from the left").expect("it was there");
    reader.set_value(&from_left, 400.0).expect("it can be set");
    becomes("Lens 1 from the left", 400.0);
    let moved = desktop.after(&shown, "the lens moves");
    let Some([left, _, right, _]) = changed(&beside_panels(&shown), &beside_panels(&moved)) else { panic!("nothing") };
    assert!(left < 130 && right > 560, "from {left} to {right}");
    let width = reader.slider("Width").expect("a setting in the panels");
    assert_eq!(reader.value(&width), Some(380.0));
    reader.set_value(&width, 200.0).expect("it can be set");
    becomes("Lens 1 width", 200.0);
    let narrow = desktop.after(&moved, "the lens is narrower");
    assert!(changed(&beside_panels(&moved), &beside_panels(&narrow)).is_some());

    // A widget is clicked: another tab is open.
    let inspect = reader.find("Inspect").expect("a tab");
    assert!(reader.click(&inspect));
    desktop.after(&narrow, "the tab of the timings");
    demo.key(&desktop, "n");
    let second = reader.find("Lens 2").expect("N adds one");
    assert!(within(|| reader.is_focused(&second).then_some(())).is_some(), "and selects it");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}

/// Without a bus at all, and with one that ends, the window goes on.
#[test]
fn the_end_of_the_bus_is_not_that_of_the_window() {
    let Some(desktop) = desktop() else { return };
    let Some(bus) = bus(&desktop) else { return };
    let empty = desktop.picture();
    let demo = on_bus(&desktop, &bus, "");
    desktop.after(&empty, "the window shows something");
    let reader = Reader::begin(&bus).map_err(|why| eprintln!("without a reader: {why}")).ok();
    let is_read = reader.as_ref().is_none_or(|reader| reader.find("Lens 1").is_some());
    assert!(is_read, "the tree is read");
    drop((reader, bus));
    let alone = desktop.still();
    demo.key(&desktop, "h");
    desktop.after(&alone, "H hides the panels");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}

#[test]
fn panels_follow_the_contrast_of_the_desktop() {
    let Some(desktop) = desktop() else { return };
    let Some(bus) = bus(&desktop) else { return };
    let appearance = |key, value: u32| ("org.freedesktop.appearance", key, Value::from(value));
    let portal = Portal::open(&bus, &[appearance("contrast", 0), appearance("reduced-motion", 0)]);
    let empty = desktop.picture();
    // The left margin of the panels, where no text is.
    let ground = |picture: &Picture| {
        let [red, green, blue, _] = picture.pixel(SIZE[0] - 322, SIZE[1] / 2);
        [red, green, blue].map(i32::from)
    };
    let becomes = |is: fn(i32) -> bool, what: &str| {
        let found = within(|| ground(&desktop.picture()).into_iter().all(is).then_some(()));
        assert!(found.is_some(), "{what}: {:?}", ground(&desktop.picture()));
    };
    let demo = on_bus(&desktop, &bus, "--set display.panels=flat");
    desktop.after(&empty, "the window shows something");
    becomes(|channel| (1..60).contains(&channel), "a dark sheet");
    portal.set("org.freedesktop.appearance", "contrast", Value::from(1_u32));
    becomes(|channel| channel == 0, "black with high contrast");
    portal.set("org.freedesktop.appearance", "contrast", Value::from(0_u32));
    becomes(|channel| (1..60).contains(&channel), "the dark sheet again");
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}

/// A circumflex that waits for its letter, on a French keyboard.
#[test]
fn a_dead_key_and_a_letter_are_one_letter_in_a_text_field() {
    let Some(desktop) = desktop() else { return };
    let Some(bus) = bus(&desktop) else { return };
    let french = desktop.command("setxkbmap").arg("fr").status();
    if !french.is_ok_and(|status| status.success()) {
        return eprintln!("skipped: setxkbmap is missing");
    }
    let empty = desktop.picture();
    let demo = on_bus(&desktop, &bus, "");
    let shown = desktop.after(&empty, "the window shows something");
    let reader = match Reader::begin(&bus) {
        Ok(reader) => reader,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    demo.key(&desktop, "ctrl+f");
    // Its cursor blinks: the picture never is still.
    desktop.differs(&shown, "the search has the focus");
    // The keys right of P, and of E.
    demo.key(&desktop, "34 26");
    let found = within(|| reader.texts().contains(&"ê".to_owned()).then_some(()));
    assert!(found.is_some(), "text fields contain {:?}", reader.texts());
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}
