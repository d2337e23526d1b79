//! Input of the panels: one egui pass for each press and release. egui tests them once per pass, at the pointer's final
//! position: at one frame a second clicks would be lost.

use super::event_clock::EventClock;
use egui::{Context, Event, RawInput};
use std::time::Instant;

#[derive(Debug)]
pub struct PanelInput {
    start: Instant,
    times_s: Vec<f64>,
    pub clock: EventClock,
    last_s: f64,
}

impl PanelInput {
    /// A click is independent of the time between press and release.
    pub fn new(ctx: &Context, now: Instant) -> Self {
        ctx.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
        Self { start: now, times_s: Vec::new(), clock: EventClock::new(now), last_s: 0.0 }
    }

    pub fn note(&mut self, events: usize, now: Instant) {
        let at_s = self.clock.earliest(now).saturating_duration_since(self.start).as_secs_f64();
        self.times_s.resize(events, at_s);
    }

    pub fn passes(&mut self, mut input: RawInput, now: Instant) -> Vec<RawInput> {
        let events = std::mem::take(&mut input.events);
        let mut times_s = std::mem::take(&mut self.times_s).into_iter();
        let (mut all, mut some) = (Vec::new(), Vec::new());
        for event in events {
            let at_s = times_s.next().unwrap_or(self.last_s);
            let is_button = matches!(event, Event::PointerButton { .. });
            some.push(event);
            if is_button {
                self.last_s = self.last_s.max(at_s);
                let (time, events) = (Some(self.last_s), std::mem::take(&mut some));
                all.push(RawInput { time, events, dropped_files: Vec::new(), ..input.clone() });
            }
        }
        self.last_s = self.last_s.max(now.saturating_duration_since(self.start).as_secs_f64());
        (input.time, input.events) = (Some(self.last_s), some);
        all.push(input);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Modifiers, PointerButton, Pos2, Rect, pos2, vec2};
    use std::time::Duration;

    struct Bench {
        ctx: Context,
        input: PanelInput,
        start: Instant,
        events: Vec<Event>,
        now_s: f64,
        clicks: [u32; 2],
        doubles: u32,
    }

    const PLACES: [Pos2; 2] = [pos2(50.0, 50.0), pos2(50.0, 150.0)];

    impl Bench {
        fn new() -> Self {
            let (ctx, start) = (Context::default(), Instant::now());
            let input = PanelInput::new(&ctx, start);
            let (events, clicks) = (Vec::new(), [0; 2]);
            let mut bench = Self { ctx, input, start, events, now_s: 0.0, clicks, doubles: 0 };
            bench.frame();
            bench.frame();
            bench
        }

        fn now(&self) -> Instant {
            self.start + Duration::from_secs_f64(self.now_s)
        }

        fn receive(&mut self, event: Event) {
            self.events.push(event);
            self.input.note(self.events.len(), self.now());
        }

        fn button(&mut self, at: Pos2, pressed: bool) {
            self.receive(Event::PointerMoved(at));
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            self.receive(Event::PointerButton { pos: at, button, pressed, modifiers });
        }

        fn frame(&mut self) {
            let events = std::mem::take(&mut self.events);
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(200.0, 200.0)));
            let input = RawInput { events, screen_rect, ..Default::default() };
            let now = self.now();
            self.input.clock.begin_frame(now);
            for pass in self.input.passes(input, self.now()) {
                let (clicks, doubles) = (&mut self.clicks, &mut self.doubles);
                let mut output = self.ctx.run_ui(pass, |ui| {
                    for (at, count) in PLACES.into_iter().zip(&mut *clicks) {
                        let button = ui.put(Rect::from_center_size(at, vec2(40.0, 20.0)), egui::Button::new("b"));
                        *count += u32::from(button.clicked());
                        *doubles += u32::from(button.double_clicked());
                    }
                });
                output.textures_delta.clear();
            }
            self.now_s += 1.0;
            let now = self.now();
            self.input.clock.end_frame(now);
        }
    }

    #[test]
    fn a_click_counts_whatever_frames_it_falls_into() {
        let mut bench = Bench::new();
        bench.button(PLACES[0], true);
        bench.frame();
        bench.button(PLACES[0], false);
        bench.frame();
        assert_eq!(bench.clicks, [1, 0], "press and release a second apart, by the frames");
        bench.now_s += 3.0;
        bench.button(PLACES[0], true);
        bench.button(PLACES[0], false);
        bench.button(PLACES[1], true);
        bench.button(PLACES[1], false);
        bench.receive(Event::PointerMoved(pos2(120.0, 10.0)));
        bench.frame();
        assert_eq!(bench.clicks, [2, 1], "two clicks and a move in one frame");
        bench.now_s += 3.0;
        bench.button(PLACES[0], true);
        bench.button(PLACES[1], false);
        bench.frame();
        assert_eq!(bench.clicks, [2, 1], "let go over another button");
    }

    #[test]
    fn a_double_click_is_measured_by_its_events() {
        let click = |bench: &mut Bench| {
            bench.button(PLACES[0], true);
            bench.button(PLACES[0], false);
        };
        let mut bench = Bench::new();
        bench.now_s += 3.0;
        click(&mut bench);
        bench.frame();
        click(&mut bench);
        bench.frame();
        assert_eq!((bench.clicks[0], bench.doubles), (2, 1), "the second came while the first's frame was drawn");
        bench.now_s += 3.0;
        click(&mut bench);
        bench.now_s += 0.8;
        click(&mut bench);
        bench.frame();
        assert_eq!((bench.clicks[0], bench.doubles), (4, 1), "two single ones in one frame");
    }
}
