//! Tests of the motifs by hand, wheel and keys, at every frame rate.

use super::*;
use crate::{HandSettings, Source};

const STAGE: Stage = Stage { size_px: Vec2::new(1280.0, 720.0), free_px: Vec2::new(940.0, 720.0), scale: 1.0 };

fn feel() -> Feel {
    Feel::of(&HandSettings::default())
}

struct Hand {
    used: Use,
    scene: SceneSettings,
    stage: Stage,
}

impl Hand {
    fn new(motif: Motif) -> Self {
        let scene = SceneSettings { source: Source::Picture, motif, ..SceneSettings::default() };
        Self { used: Use::default(), scene, stage: STAGE }
    }

    fn does(&mut self, event: UseEvent) -> bool {
        self.used.handle(event, &mut self.scene, &self.stage, &feel())
    }

    fn types(&mut self, key: Key) -> bool {
        let took = self.does(UseEvent::Key { key, is_down: true });
        self.does(UseEvent::Key { key, is_down: false });
        took
    }

    fn passes(&mut self, seconds: f32, rate: f32) -> bool {
        let mut moves = true;
        for _ in 0..(seconds * rate).round() as u32 {
            moves = self.used.advance(1.0 / rate, &mut self.scene, &self.stage, &feel());
        }
        moves
    }

    fn frame(&self) -> UseFrame {
        self.used.frame(&self.scene, &self.stage, &feel())
    }

    fn click(&mut self, at: Vec2) {
        self.does(UseEvent::Moved(at));
        self.does(UseEvent::Pressed);
        self.passes(0.1, 60.0);
        self.does(UseEvent::Released);
    }

    /// Middle of a piece, pixels.
    fn place(&self, piece: u32) -> Vec2 {
        let number = self.scene.motif.first_number() + piece;
        self.frame().outlines.iter().find(|lens| lens.id == Some(number)).unwrap().center
    }
}

#[test]
fn every_motif_has_its_pieces_and_leaves_the_panels_free() {
    for (motif, count) in [(Motif::Dock, 12), (Motif::Keyboard, 49), (Motif::Controls, 12)] {
        for (size, free) in [([1280.0, 720.0], 940.0), ([900.0, 600.0], 560.0), ([2560.0, 1440.0], 2220.0)] {
            let stage = Stage { size_px: Vec2::from(size), free_px: Vec2::new(free, size[1]), scale: 1.0 };
            let hand = Hand { stage, ..Hand::new(motif) };
            let frame = hand.frame();
            assert_eq!((frame.outlines.len(), frame.shift_px), (count, 0), "{motif:?} {size:?}");
            for lens in &frame.outlines {
                let half = lens.half(1.0);
                assert!((lens.center - half).min_element() >= 0.0, "{motif:?} {size:?} {lens:?}");
                let end = lens.center + half;
                assert!(end.x <= free && end.y <= size[1] - 60.0, "{motif:?} {size:?} {lens:?}");
            }
            let mut ids: Vec<_> = frame.outlines.iter().map(|lens| lens.id).collect();
            ids.dedup();
            assert_eq!(ids.len(), count);
            assert!(frame.marks.iter().all(|mark| mark.piece < MOST_PIECES && mark.grow == 1.0));
        }
    }
    for motif in Motif::ALL {
        assert_eq!(motif.is_used(), motif.hint().is_some());
        assert_eq!(Hand::new(*motif).frame().outlines.is_empty(), !motif.is_used(), "{motif:?}");
    }
}

#[test]
fn a_list_scrolls_with_its_picture_by_whole_pixels() {
    for scale in [1.0, 1.25, 2.0] {
        let mut hand = Hand::new(Motif::List);
        hand.stage.scale = scale;
        let mut last = hand.frame();
        let mut moved = 0;
        hand.does(UseEvent::Wheel(-3.0));
        for _ in 0..80 {
            hand.passes(1.0 / 60.0, 60.0);
            let now = hand.frame();
            let by = now.shift_px - last.shift_px;
            moved += by;
            for lens in &now.outlines {
                if let Some(before) = last.outlines.iter().find(|before| before.id == lens.id) {
                    assert_eq!(before.center - lens.center, Vec2::new(0.0, by as f32), "{:?}", lens.id);
                }
            }
            last = now;
        }
        assert_eq!(moved, (3.0 * 96.0 * scale) as i32);
        assert!(!hand.passes(0.1, 60.0), "it rests");
    }
}

#[test]
fn a_thrown_list_glides_alike_at_every_rate_and_comes_back_from_its_ends() {
    let throw = |rate: f32, way: f32| {
        let mut hand = Hand::new(Motif::List);
        hand.scene.scroll = 1500.0;
        hand.does(UseEvent::Moved(Vec2::new(450.0, 400.0)));
        assert!(hand.does(UseEvent::Pressed));
        for step in 1..=(0.2 * rate) as u32 {
            hand.does(UseEvent::Moved(Vec2::new(450.0, 400.0 - way * step as f32 / (0.2 * rate))));
            hand.passes(1.0 / rate, rate);
        }
        let dragged = hand.scene.scroll;
        hand.does(UseEvent::Released);
        let moves = hand.passes(4.0, rate);
        (dragged, hand.scene.scroll, moves)
    };
    let (dragged, ended, moves) = throw(240.0, 160.0);
    assert_eq!((dragged, moves), (1660.0, false));
    assert!(ended > 1750.0, "{ended}");
    for rate in [30.0, 60.0, 120.0] {
        let (_, other, moves) = throw(rate, 160.0);
        assert!(!moves && (other - ended).abs() < 0.06 * (ended - 1500.0), "{rate} Hz: {other} and {ended}");
    }
    let mut hand = Hand::new(Motif::List);
    hand.does(UseEvent::Moved(Vec2::new(450.0, 200.0)));
    hand.does(UseEvent::Pressed);
    hand.does(UseEvent::Moved(Vec2::new(450.0, 500.0)));
    let over = hand.scene.scroll;
    assert!((-120.0..-60.0).contains(&over), "{over}: less than the pointer's 300");
    assert!(hand.frame().shift_px < 0);
    hand.does(UseEvent::Released);
    let mut last = over;
    for _ in 0..120 {
        hand.passes(1.0 / 60.0, 60.0);
        assert!(hand.scene.scroll >= last && hand.scene.scroll <= 0.0, "no second bounce");
        last = hand.scene.scroll;
    }
    assert_eq!(last, 0.0);
}

#[test]
fn keys_reach_the_ends_of_a_list_and_a_still_hand_jumps() {
    let mut hand = Hand::new(Motif::List);
    let longest = list::longest(&STAGE);
    assert!(hand.types(Key::End) && !hand.types(Key::Letter('x')));
    hand.passes(3.0, 60.0);
    assert_eq!(hand.scene.scroll, longest);
    let last = hand.frame();
    assert!(last.outlines.iter().any(|lens| lens.id == Some(60) && lens.center.y < 700.0), "the last card is in sight");
    assert!(last.outlines.len() < 20 && last.outlines.len() > 7, "{} pieces", last.outlines.len());
    hand.types(Key::PageUp);
    hand.passes(3.0, 60.0);
    assert!((longest - hand.scene.scroll - 574.0).abs() < 1.0, "{}", longest - hand.scene.scroll);
    hand.types(Key::Home);
    hand.used.advance(1.0 / 60.0, &mut hand.scene, &STAGE, &Feel::STILL);
    assert_eq!(hand.scene.scroll, 0.0, "reduced motion: at once");
    hand.types(Key::Down);
    hand.types(Key::Down);
    hand.passes(3.0, 60.0);
    assert_eq!(hand.scene.scroll, 128.0);
}

#[test]
fn a_dock_grows_under_the_pointer_which_stays_on_its_tile() {
    let mut hand = Hand::new(Motif::Dock);
    let rest = hand.frame();
    let width = |frame: &UseFrame, index: usize| frame.outlines[index].outline.half_width;
    for tile in 0..12 {
        let at = rest.outlines[tile].center;
        hand.does(UseEvent::Moved(at));
        hand.passes(1.0, 60.0);
        let grown = hand.frame();
        assert!((width(&grown, tile) / width(&rest, tile) - 1.75).abs() < 0.03, "{tile}");
        assert!((grown.outlines[tile].center.x - at.x).abs() < 1.5, "{tile}: the middle stays");
        let order: Vec<f32> = grown.outlines[..12].iter().map(|lens| lens.center.x).collect();
        assert!(order.is_sorted() && grown.outlines.len() == 13, "and its name is above it");
        for pair in grown.outlines[..12].windows(2) {
            let gap = pair[1].center.x - pair[1].outline.half_width - pair[0].center.x - pair[0].outline.half_width;
            assert!((8.0..14.0).contains(&gap), "{gap}");
        }
    }
    hand.does(UseEvent::Left);
    assert!(!hand.passes(2.0, 60.0));
    assert_eq!(hand.frame(), rest);
    hand.click(rest.outlines[4].center);
    let is_dot = |mark: &&Mark| matches!(mark.figure, Figure::Box { .. }) && mark.ink != Ink::Veil;
    let dots = |hand: &Hand| hand.frame().marks.iter().filter(is_dot).count();
    assert_eq!(dots(&hand), 1, "it is open");
    hand.passes(3.0, 60.0);
    hand.types(Key::Right);
    hand.types(Key::Act);
    assert_eq!(dots(&hand), 2);
}

#[test]
fn keys_of_the_keyboard_press_and_write() {
    let mut hand = Hand::new(Motif::Keyboard);
    for letter in "Glass!".chars() {
        assert!(hand.types(Key::Letter(letter)), "{letter}");
    }
    hand.types(Key::Act);
    hand.click(hand.place(0));
    assert_eq!(hand.used.typed, "glass1 `");
    hand.does(UseEvent::Key { key: Key::Letter('q'), is_down: true });
    hand.passes(0.3, 60.0);
    let swollen = |hand: &Hand| hand.frame().marks.iter().filter(|mark| mark.grow > 1.005).count();
    assert_eq!(swollen(&hand), 2, "its letter and its veil");
    assert!(hand.used.press().is_some_and(|press| press.strength > 0.5));
    hand.does(UseEvent::Key { key: Key::Letter('q'), is_down: false });
    assert!(!hand.passes(2.0, 60.0) && swollen(&hand) == 0);
    for _ in 0..40 {
        hand.types(Key::Letter('a'));
    }
    assert_eq!(hand.used.typed, "a".repeat(28));
    assert!(hand.types(Key::Left) && hand.used.typed.len() == 27 && !hand.types(Key::Letter('é')));
    let keys = pieces(&hand.used, &hand.scene, &STAGE).len() - 1;
    assert_eq!(keys, 48);
}

#[test]
fn controls_slide_switch_and_follow_keys() {
    let mut hand = Hand::new(Motif::Controls);
    let before = hand.scene.clone();
    hand.passes(0.1, 60.0);
    let place = hand.place(0);
    hand.click(place);
    assert_eq!(hand.scene.switches, before.switches ^ 1);
    assert!(hand.passes(0.05, 60.0) && !hand.passes(3.0, 60.0), "it swings, and rests");
    let slider = hand.place(4);
    hand.does(UseEvent::Moved(slider));
    hand.does(UseEvent::Pressed);
    hand.does(UseEvent::Moved(slider - Vec2::new(0.0, 40.0)));
    assert!((hand.scene.brightness - before.brightness - 40.0 / 158.0).abs() < 0.01, "{}", hand.scene.brightness);
    hand.does(UseEvent::Moved(slider + Vec2::new(0.0, 900.0)));
    assert_eq!(hand.scene.brightness, 0.0);
    hand.does(UseEvent::Released);
    for _ in 0..6 {
        hand.types(Key::Next);
    }
    hand.types(Key::Up);
    assert!((hand.scene.volume - before.volume - 0.1).abs() < 1e-6);
    hand.types(Key::Next);
    let switches = hand.scene.switches;
    hand.types(Key::Act);
    assert_eq!(hand.scene.switches, switches ^ 1 << 4);
    hand.types(Key::Left);
    assert_eq!(hand.scene.switches >> 4 & 1, 0);
    assert!(!hand.types(Key::Letter('h')), "a letter is a shortcut");
}

#[test]
fn a_lost_finger_and_another_motif_hold_nothing() {
    let mut hand = Hand::new(Motif::Controls);
    let (at, before) = (hand.place(7), hand.scene.clone());
    hand.does(UseEvent::Moved(at));
    hand.does(UseEvent::Pressed);
    hand.does(UseEvent::Lost);
    assert_eq!(hand.scene, before);
    hand.does(UseEvent::Pressed);
    hand.scene.motif = Motif::Dock;
    assert!(!hand.does(UseEvent::Released) && hand.used.press().is_none());
    assert!(!hand.does(UseEvent::Moved(Vec2::NAN)));
}

#[test]
fn parts_have_names_and_places_and_are_operated() {
    let mut hand = Hand::new(Motif::Controls);
    let part = |hand: &Hand, name: &str| {
        hand.used.parts(&hand.scene, &STAGE).into_iter().find(|part| part.name == name).unwrap()
    };
    let volume = part(&hand, "Volume");
    assert_eq!(volume.kind, PartKind::Slider(hand.scene.volume));
    assert!((0.5 * (volume.low + volume.high)).distance(hand.place(volume.piece as u32)) < 1.0);
    hand.used.operate(volume.piece, Some(0.25), &mut hand.scene);
    let torch = part(&hand, "Torch");
    let PartKind::Switch(was_on) = torch.kind else { panic!("{torch:?}") };
    hand.used.operate(torch.piece, None, &mut hand.scene);
    assert_eq!((hand.scene.volume, part(&hand, "Torch").kind), (0.25, PartKind::Switch(!was_on)));
    for motif in [Motif::List, Motif::Dock, Motif::Keyboard, Motif::Controls] {
        let hand = Hand::new(motif);
        let parts = hand.used.parts(&hand.scene, &STAGE);
        assert!(parts.iter().all(|part| !part.name.trim().is_empty()), "{motif:?}: {parts:?}");
    }
    let mut list = Hand::new(Motif::List);
    list.scene.scroll = 50.0;
    let ice = list.used.parts(&list.scene, &STAGE).into_iter().find(|part| part.name.starts_with("Ice,")).unwrap();
    assert!((0.5 * (ice.low + ice.high)).distance(list.place(ice.piece as u32)) < 1.0, "{ice:?}");
}
