//! Frames per second over the last second of drawing.

use std::collections::VecDeque;

/// Seconds.
const SPAN_S: f64 = 1.0;
/// Shortest measured time, seconds: after a pause the first frames are submitted before the GPU has drawn any.
const KNOWN_S: f64 = 0.25;
/// Seconds after a submission from which on a frame waited for input; the wait is no frame time.
const PAUSE_S: f64 = 0.1;
/// Seconds after the last frame until the state is idle.
const IDLE_S: f64 = 0.5;
/// Seconds between two figures: faster changes cannot be read.
const LOOK_S: f64 = 0.25;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rate {
    #[default]
    Idle,
    /// Too few frames yet.
    Unknown,
    Known(f64),
}

/// Counts frames that show something new, since frames that only refresh the panels would keep each other going. Times
/// are seconds from one origin.
#[derive(Clone, Debug, Default)]
pub struct FrameRate {
    intervals: VecDeque<f64>,
    begun_s: Option<f64>,
    ended_s: f64,
    now_s: f64,
    is_new: bool,
    shown: Rate,
    shown_s: f64,
}

impl FrameRate {
    /// `requested_s`: since when new content has been waiting.
    pub fn begin(&mut self, requested_s: Option<f64>, now_s: f64) {
        self.now_s = now_s;
        self.is_new = requested_s.is_some();
        if let Some(requested_s) = requested_s {
            let before = self.begun_s.replace(now_s).filter(|_| requested_s - self.ended_s < PAUSE_S);
            self.intervals.extend(before.map(|before| now_s - before));
            while self.intervals.iter().skip(1).sum::<f64>() >= SPAN_S {
                self.intervals.pop_front();
            }
        } else if now_s - self.ended_s >= IDLE_S {
            self.intervals.clear();
            self.begun_s = None;
        }
        let rate = self.rate();
        let has_turned = (rate == Rate::Idle) != (self.shown == Rate::Idle);
        if has_turned || now_s - self.shown_s >= LOOK_S {
            (self.shown, self.shown_s) = (rate, now_s);
        }
    }

    pub fn end(&mut self, now_s: f64) {
        if self.is_new {
            self.ended_s = now_s;
        }
    }

    pub fn shown(&self) -> Rate {
        self.shown
    }

    /// Seconds until the panels must be redrawn to show the idle state.
    pub fn idle_in_s(&self) -> Option<f64> {
        self.begun_s.map(|begun_s| (begun_s.max(self.ended_s) + IDLE_S - self.now_s).max(0.01))
    }

    fn rate(&self) -> Rate {
        let known_s: f64 = self.intervals.iter().sum();
        match self.begun_s {
            None => Rate::Idle,
            Some(_) if known_s < KNOWN_S => Rate::Unknown,
            Some(_) => Rate::Known(self.intervals.len() as f64 / known_s),
        }
    }
}

impl Rate {
    /// At least two significant digits: `60`, `7.5`, `0.42`.
    pub fn text(self) -> String {
        match self {
            Self::Idle => "idle".into(),
            Self::Unknown => "—".into(),
            Self::Known(rate) if rate >= 9.95 => format!("{rate:.0}"),
            Self::Known(rate) if rate >= 0.995 => format!("{rate:.1}"),
            Self::Known(rate) => format!("{rate:.2}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film(rate: &mut FrameRate, begins: impl IntoIterator<Item = f64>, work_s: f64) {
        let mut requested_s = None;
        for now_s in begins {
            rate.begin(Some(requested_s.unwrap_or(now_s)), now_s);
            rate.end(now_s + work_s);
            requested_s = Some(now_s + work_s);
        }
    }

    #[test]
    fn slow_frames_count_whether_they_wait_for_the_gpu_or_for_the_processor() {
        for (interval_s, text) in [(1.0 / 60.0, "60"), (0.125, "8.0"), (0.4, "2.5"), (1.0, "1.0"), (3.0, "0.33")] {
            for work_s in [0.001, 0.9 * interval_s] {
                let mut rate = FrameRate::default();
                film(&mut rate, (0..200).map(|frame| f64::from(frame) * interval_s), work_s);
                assert_eq!(rate.shown().text(), text, "{interval_s} s, {work_s} s of them work");
            }
        }
    }

    #[test]
    fn frames_handed_over_before_the_gpu_has_drawn_any_say_nothing() {
        let mut rate = FrameRate::default();
        film(&mut rate, [0.0, 0.005, 0.010], 0.004);
        assert_eq!(rate.shown(), Rate::Unknown);
        film(&mut rate, [0.015, 1.1, 2.2], 0.004);
        assert_eq!(rate.shown().text(), "0.91");
    }

    #[test]
    fn pauses_are_idle_and_waits_do_not_count() {
        let mut rate = FrameRate::default();
        assert_eq!((rate.shown(), rate.idle_in_s()), (Rate::Idle, None));
        film(&mut rate, (0..60).map(|frame| f64::from(frame) * 0.01), 0.002);
        assert_eq!(rate.shown().text(), "100");
        assert!((rate.idle_in_s().unwrap() - 0.5).abs() < 0.01);
        // Refreshes of the panels: too early, then after a long enough pause.
        rate.begin(None, 0.8);
        rate.end(0.81);
        assert_eq!(rate.shown().text(), "100");
        assert!((rate.idle_in_s().unwrap() - 0.292).abs() < 1e-6, "{:?}", rate.idle_in_s());
        film(&mut rate, [0.9, 0.91], 0.002);
        assert_eq!(rate.shown().text(), "100");
        rate.begin(None, 1.5);
        rate.end(1.51);
        assert_eq!((rate.shown(), rate.idle_in_s()), (Rate::Idle, None));
        film(&mut rate, [100.0], 0.002);
        assert_eq!(rate.shown(), Rate::Unknown, "nothing is known of the last movement");
    }

    #[test]
    fn figures_follow_within_a_second() {
        let mut rate = FrameRate::default();
        film(&mut rate, (0..200).map(|frame| f64::from(frame) * 0.01), 0.002);
        film(&mut rate, (0..4).map(|frame| 2.4 + f64::from(frame) * 0.4), 0.002);
        assert_eq!(rate.shown().text(), "2.5");
    }
}
