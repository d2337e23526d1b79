//! Tests of the file dialogue. No portal responds here, so its fallback is used: a program called `zenity`.

use super::desktop::above_strip;
use super::{Demo, HOME, SIZE, changed, desktop, within};
use media::picture::Picture;
use std::fs;

#[test]
fn a_picked_file_is_opened_and_without_a_dialogue_a_path_can_be_typed() {
    let Some(desktop) = desktop() else { return };
    let empty = desktop.picture();
    let file = desktop.home.join("teal.png");
    Picture::from_fn(SIZE, |_, _| [10, 140, 130, 255]).save_png(&file).expect("a file of our own");
    let shows_file = || desktop.picture().pixel(20, 20)[..3] == [10, 140, 130];

    // A user takes a while, here until a file exists; the window continues meanwhile.
    let [asked, ready] = ["asked", "ready"].map(|name| desktop.home.join(name));
    let dialogue = |answer: &str| {
        let [asked, ready] = [&asked, &ready].map(|file| file.display());
        desktop.add_program("zenity", &format!("touch {asked}\nuntil [ -e {ready} ]; do sleep 0.1; done\n{answer}"))
    };
    let program = dialogue(&format!("echo {}", file.display()));
    let demo = Demo::start(&desktop, "--set glass.adaptive=0");
    desktop.after(&empty, "the window shows something");
    demo.key(&desktop, "ctrl+o");
    assert!(within(|| asked.exists().then_some(())).is_some(), "Ctrl+O asks for a file");
    let asking = desktop.still();
    demo.drag(&desktop, HOME, [HOME[0] - 200, HOME[1]]);
    desktop.after(&asking, "the lens follows while the dialogue is open");
    assert!(!shows_file(), "nothing was picked yet");
    fs::write(&ready, "").expect("a file of our own");
    assert!(within(|| shows_file().then_some(())).is_some(), "the file is opened");

    // Cancelled: nothing changes, and it can be opened again.
    let ended = desktop.home.join("ended");
    dialogue(&format!("touch {}; exit 1", ended.display()));
    fs::remove_file(&asked).expect("it was asked");
    let opened = desktop.still();
    demo.key(&desktop, "ctrl+o");
    assert!(within(|| asked.exists().then_some(())).is_some(), "it is asked for again");
    assert!(within(|| ended.exists().then_some(())).is_some(), "it is cancelled");
    desktop.still();
    // In the panels figures of time change, and the strip of scenes takes the look of the picture.
    let beside_panels = || {
        let found = changed(&above_strip(&opened), &above_strip(&desktop.picture()));
        found.is_some_and(|[left, ..]| left < SIZE[0] as i32 - 330)
    };
    assert!(!beside_panels(), "nothing was picked");

    // Without any dialogue: the path field is open and has the focus.
    let other = desktop.home.join("red.png");
    Picture::from_fn(SIZE, |_, _| [150, 20, 30, 255]).save_png(&other).expect("a file of our own");
    fs::remove_file(&program).expect("a file of our own");
    if super::desktop::found("zenity").is_err() {
        demo.key(&desktop, "ctrl+o");
        let is_said = within(|| beside_panels().then_some(()));
        assert!(is_said.is_some(), "it is said that there is no dialogue");
        demo.key(&desktop, "ctrl+a");
        desktop.hand(&format!("type --delay 40 {}", other.display()));
        demo.key(&desktop, "Return");
        let is_there = || (desktop.picture().pixel(20, 20)[..3] == [150, 20, 30]).then_some(());
        assert!(within(is_there).is_some(), "the typed path is opened");
    }
    assert_eq!(demo.quit(&desktop), (Some(0), String::new()), "a clean exit, no message");
}
