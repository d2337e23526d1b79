//! Tests that looking at a still picture changes nothing.

use ab::test_stage::{Stage, at_rest, target};
use base::timing::technique_of;
use glam::Vec2;
use gpu::{CapturePoint, Frame, PassCapture, TestGpu, test_gpu};
use instrument::{FrameCapture, FrameRequest, PictureView, Pin, PinPicture, Pins, StoryRequest};
use media::array::Array;
use renderer::{ActiveView, FrameParams, FramePlan, Renderer, Repeat, ViewPlacement};
use scene::Lens;
use technique::{FrameRead, Output};
use techniques::{Evidence, INFOS};

const SIZE: [u32; 2] = [112, 64];
const COMPLETE: u32 = 2000;
const DRAWS: [&str; 6] = ["meshlets", "pixel_sort", "shade", "reflections", "antialias", "particles"];

struct Run {
    stage: Stage,
    view: Option<ActiveView>,
    gpu: TestGpu,
}

struct Seen {
    /// The target, the picture under the glass, and the accumulated light with its numbers of samples.
    contents: [Array; 3],
    passes: Vec<String>,
    changes: u64,
}

impl Seen {
    fn assert_same(&self, before: &Self, look: &str) {
        for (at, what) in ["the window", "the picture", "the accumulated light"].into_iter().enumerate() {
            assert!(self.contents[at] == before.contents[at], "{look}: {what} changed");
        }
        assert_eq!(self.changes, before.changes, "{look}");
    }
}

impl Run {
    fn new(sets: &[&str]) -> Self {
        let gpu = test_gpu();
        let still = ["scene.drift=off", "particles.kind=none", "glass.adaptive=0", "reflections.trace=on"];
        let mut stage = Stage::new(&gpu, &[&still, sets].concat());
        stage.target = target(&gpu, SIZE);
        Self { stage, view: None, gpu }
    }

    fn frame<T>(
        &mut self,
        repeat: Repeat,
        before: impl FnOnce(&mut Frame),
        after: impl FnOnce(&mut Frame, &Renderer) -> T,
    ) -> (Seen, T) {
        let Self { stage: Stage { renderer, frames, settings, lenses, target }, view, gpu } = self;
        let params = at_rest(gpu, settings, lenses, *view);
        let params = FrameParams { plan: FramePlan { repeat, ..params.plan }, ..params };
        let target = target.mip(0);
        let ((reads, looked), timing) = frames
            .once(|frame| {
                before(frame);
                renderer.record(frame, &params, &target)?;
                let looked = after(frame, renderer);
                let (_, context) = renderer.last_frame().unwrap();
                let light = context.world.as_ref().map_or(&context.picture, |world| &world.resolved);
                let read = |frame: &mut Frame, view| Output::from(view).read(frame);
                let reads = [read(frame, &target)?, read(frame, &context.picture)?, read(frame, light)?];
                gpu::Result::Ok((reads, looked))
            })
            .unwrap();
        renderer.on_timing(&timing).unwrap();
        let names = timing.passes.into_iter().map(|pass| pass.name);
        let passes = names.filter(|name| DRAWS.contains(&technique_of(name))).collect();
        let contents = reads.map(|read: FrameRead| read.array().unwrap());
        (Seen { contents, passes, changes: renderer.changes() }, looked)
    }

    fn plain(&mut self) -> Seen {
        self.frame(Repeat::Nothing, |_| (), |_, _| ()).0
    }

    fn is_unfinished(&self) -> bool {
        self.stage.renderer.is_unfinished(&self.stage.settings) || self.stage.renderer.beginning().is_some()
    }

    /// Returns the complete picture, and all passes on the way.
    fn complete(&mut self) -> (Seen, Vec<String>) {
        let mut passes = Vec::new();
        for _ in 0..COMPLETE {
            let seen = self.plain();
            if !self.is_unfinished() && seen.passes.is_empty() {
                return (seen, passes);
            }
            passes.extend(seen.passes);
            passes.sort_unstable();
            passes.dedup();
        }
        panic!("the picture is not complete after {COMPLETE} frames");
    }

    fn assert_stays(&mut self, before: &Seen, look: &str) {
        assert!(!self.is_unfinished(), "{look}: the picture is complete");
        let seen = self.plain();
        assert_eq!(seen.passes, Vec::<String>::new(), "{look}: the frame after it");
        seen.assert_same(before, look);
    }
}

fn look_at_everything(sets: &[&str]) {
    let mut run = Run::new(sets);
    let (still, drawn_by) = run.complete();
    for repeat in [Repeat::Passes, Repeat::Rays, Repeat::Passes] {
        let look = format!("{sets:?} {repeat:?}");
        let (seen, ()) = run.frame(repeat, |_| (), |_, _| ());
        seen.assert_same(&still, &look);
        for technique in ["meshlets", "shade"] {
            assert!(seen.passes.iter().any(|pass| technique_of(pass) == technique), "{look}: {:?}", seen.passes);
        }
        let (traces, accumulates) = (["reflections/mark"], ["antialias/resolve"]);
        let has = |all: &[String], wanted: &[&str]| all.iter().any(|pass| wanted.contains(&pass.as_str()));
        assert!(repeat != Repeat::Rays || has(&seen.passes, &traces) == has(&drawn_by, &traces), "{look}");
        assert_eq!(has(&seen.passes, &accumulates), has(&drawn_by, &accumulates), "{look}");
        run.assert_stays(&still, &look);
    }
    pin_passes(&mut run, &still, &drawn_by);
    tell_a_story(&mut run, &still);
    tell_a_story_below_a_pin(&mut run, &still, &drawn_by);
    // Steps are made from the results of a frame that repeats nothing.
    for info in INFOS.iter().filter(|info| !info.lab.replays.is_empty()) {
        let settings = run.stage.settings.clone();
        let replay = |frame: &mut Frame, renderer: &Renderer| {
            let last = renderer.last_frame();
            let (mut evidence, picture) = (Evidence::new(Some(info.id)), &last.unwrap().1.picture);
            evidence.read(frame, &PassCapture::default(), last, &settings, picture).unwrap();
        };
        run.frame(Repeat::Nothing, |_| (), replay).0.assert_same(&still, info.id);
        run.assert_stays(&still, info.id);
    }
    for (technique, view) in
        [("meshlets", "ids"), ("reflections", "depth"), ("antialias", "weight"), ("glass", "normal")]
    {
        run.view = Some(ActiveView::find(technique, view, ViewPlacement::Full).unwrap());
        let seen = run.plain();
        assert!(seen.contents[1..] == still.contents[1..] && seen.changes == still.changes, "view of {technique}");
        run.view = None;
        run.assert_stays(&still, technique);
    }
    let first = run.stage.lenses[0];
    run.stage.lenses.push(Lens { center: Vec2::new(90.0, 40.0), ..first }.sized(Vec2::splat(15.0)));
    let seen = run.plain();
    assert!(seen.passes.is_empty(), "a second lens: {:?}", seen.passes);
    assert!(seen.contents[0] != still.contents[0] && seen.contents[1..] == still.contents[1..], "a second lens");
    run.stage.lenses.pop();
    run.assert_stays(&still, "a second lens");
}

fn pin_passes(run: &mut Run, still: &Seen, drawn_by: &[String]) {
    let capture = |frame: &mut Frame| frame.begin_capture(PassCapture::default());
    let (_, listed) = run.frame(Repeat::Rays, capture, |frame, _| frame.end_capture());
    let mut pinned = 0;
    for name in drawn_by {
        let Some(pass) = listed.passes().iter().find(|pass| pass.pass == *name) else { continue };
        let written = pass.resources.iter().filter(|resource| resource.is_written);
        let is_image =
            |shape: &gpu::ResourceShape| matches!(shape, gpu::ResourceShape::Image { can_be_copied: true, .. });
        let Some(image) = written.into_iter().find(|resource| is_image(&resource.shape)) else { continue };
        let mut pins = Pins::new(&run.gpu);
        let point = CapturePoint::new(name, &image.binding);
        let pin = Pin { id: 1, point, picture: None, texels: Some([0, 0, 1, 1]) };
        pins.set(vec![pin], vec![name.clone()]);
        let mut looks = 0;
        while pins.awaits_passes() {
            let target = run.stage.target.mip(0);
            let pins = std::cell::RefCell::new(&mut pins);
            let (begin, end) = (
                |frame: &mut Frame| pins.borrow_mut().begin(frame),
                |frame: &mut Frame, _: &Renderer| pins.borrow_mut().end(frame, &target).unwrap(),
            );
            let (seen, ()) = run.frame(Repeat::Rays, begin, end);
            seen.assert_same(still, name);
            looks += 1;
        }
        assert_eq!(looks, 1, "{name} is captured at once");
        pinned += 1;
    }
    assert!(pinned > 3, "{pinned} of {drawn_by:?}");
    run.assert_stays(still, "pins");
}

fn tell_a_story(run: &mut Run, still: &Seen) {
    let mut evidence = Evidence::new(None);
    let capture = PassCapture::of(&evidence.points());
    run.stage.renderer.prepare_outputs(evidence.outputs());
    let (settings, target) = (run.stage.settings.clone(), run.stage.target.mip(0));
    let read = |frame: &mut Frame, renderer: &Renderer| {
        let capture = frame.end_capture();
        evidence.read(frame, &capture, renderer.last_frame(), &settings, &target).unwrap();
    };
    let (seen, ()) = run.frame(Repeat::Rays, |frame| frame.begin_capture(capture), read);
    seen.assert_same(still, "a story");
    run.stage.renderer.prepare_outputs(&[]);
    let texels = evidence.texels().unwrap().unwrap();
    let (techniques, context) = run.stage.renderer.last_frame().unwrap();
    let steps = techniques.explain(&run.stage.settings, texels.pixel(context, [20, 40]));
    let facts = || steps.iter().flat_map(|step| step.facts.iter().map(move |fact| (step.name, fact)));
    let wrong: Vec<_> = facts().filter(|(_, fact)| fact.verdict.is_some_and(|verdict| !verdict.equal)).collect();
    assert!(facts().any(|(_, fact)| fact.verdict.is_some()) && wrong.is_empty(), "{wrong:?}");
    run.assert_stays(still, "a story");
}

/// What is drawn over the frame's picture is not in what is read of it.
fn tell_a_story_below_a_pin(run: &mut Run, still: &Seen, drawn_by: &[String]) {
    let pixel @ [x, y] = [20, 40];
    let list = |frame: &mut Frame| frame.begin_capture(PassCapture::default());
    let (_, listed) = run.frame(Repeat::Rays, list, |frame, _| frame.end_capture());
    let is_image = |shape: &gpu::ResourceShape| matches!(shape, gpu::ResourceShape::Image { can_be_copied: true, .. });
    let image_of = |pass: &String| {
        let of = listed.passes().iter().find(|known| known.pass == *pass)?;
        let image = of.resources.iter().find(|resource| resource.is_written && is_image(&resource.shape))?;
        Some(CapturePoint::new(pass, &image.binding))
    };
    let point = drawn_by.iter().find_map(image_of).unwrap();
    let view = PictureView { range: [0.0, 1.0], origin: Vec2::splat(1e6), step: 1.0, ..PictureView::default() };
    let rect = [0, 0, SIZE[0] as i32, SIZE[1] as i32];
    let picture = Some(PinPicture { rect, view, is_automatic: false });
    let pin = Pin { id: 1, point, picture, texels: None };
    let mut capture = FrameCapture::new(&run.gpu, None);
    let (stories, texels) = (vec![StoryRequest { pixel, number: 1 }], Some([x, y, 1, 1]));
    capture.ask(FrameRequest { pins: vec![pin], stories, texels, ..FrameRequest::default() });
    run.stage.renderer.prepare_outputs(&capture.prepare().unwrap());
    let (settings, target) = (run.stage.settings.clone(), run.stage.target.mip(0));
    let capture = std::cell::RefCell::new(capture);
    let read = |frame: &mut Frame, renderer: &Renderer| {
        let mut capture = capture.borrow_mut();
        capture.end(frame, &target, renderer.last_frame(), &settings).unwrap();
        capture.draw(frame, &target).unwrap();
        frame.number()
    };
    let (seen, number) = run.frame(Repeat::Rays, |frame| capture.borrow_mut().begin(frame), read);
    let mut capture = capture.into_inner();
    run.stage.renderer.prepare_outputs(&[]);
    capture.explain(run.stage.renderer.last_frame(), &settings).unwrap();
    capture.on_timing(&base::timing::FrameTiming { frame: number, ..Default::default() }).unwrap();
    let place = 4 * (y * SIZE[0] + x) as usize;
    let bytes = |seen: &Seen| seen.contents[0].bytes[place..place + 4].to_vec();
    assert!(bytes(&seen) != bytes(still), "the pin is over the pixel");
    let text = |byte: &u8| byte.to_string();
    let expected: Vec<String> = bytes(still).iter().map(text).collect();
    let results = capture.results();
    assert_eq!(results.stories[0].numbers, expected);
    assert_eq!(results.seen.unwrap().texels.numbers(x, y).unwrap(), expected);
    run.assert_stays(still, "a story below a pin");
}

#[test]
fn looking_changes_nothing() {
    look_at_everything(&[]);
    look_at_everything(&["reflections.work=live_words", "scene.antialias=rest"]);
    look_at_everything(&["scene.antialias=off", "shade.by=list"]);
}

#[test]
fn looking_while_samples_are_added_changes_nothing() {
    for sets in [&[][..], &["reflections.work=live_words"]] {
        let mut alone = Run::new(sets);
        let expected = alone.complete().0;
        let mut looked_at = Run::new(sets);
        for number in 0..40 {
            let repeat = [Repeat::Passes, Repeat::Nothing, Repeat::Rays][number % 3];
            let is_drawn = number > 0 && !looked_at.stage.renderer.is_incremental();
            let before = looked_at.stage.renderer.changes();
            let (seen, ()) = looked_at.frame(repeat, |_| (), |_, _| ());
            assert!(repeat == Repeat::Nothing || !is_drawn || seen.changes == before, "{sets:?} {number}");
        }
        let seen = looked_at.complete().0;
        assert!(seen.contents == expected.contents, "{sets:?}");
    }
}

#[test]
fn a_comparison_leaves_the_passes_as_they_were() {
    let mut run = Run::new(&["shade.by=list"]);
    let before = run.complete().1;
    run.stage.renderer.measure("pixel_sort");
    let sorts = |passes: &[String]| passes.iter().any(|pass| pass == "pixel_sort/sort");
    let is_left = (0..20).any(|_| !sorts(&run.plain().passes));
    run.stage.renderer.stop_measuring("pixel_sort");
    assert!(is_left && sorts(&before), "the last picture is shaded without a list");
    let after = run.complete().1;
    assert!(sorts(&after), "{after:?}");
    assert!(!run.stage.renderer.is_measuring(), "nothing is drawn then");
}
