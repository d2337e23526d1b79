//! Position of the moving picture below the glass: play, pause, seek.

use instrument::WorldTime;
use media::clip::Clip;
use std::sync::Arc;
use std::time::{Duration, Instant};
use ui::ClipState;

const LONGEST: Duration = Duration::from_secs(1);
/// Seconds.
const WAIT_S: [f64; 2] = [0.001, 3600.0];

#[derive(Clone, Copy)]
pub struct Pace {
    pub speed: f32,
    pub time: WorldTime,
    /// Time waits, so that every frame is seen.
    pub is_behind: bool,
}

#[derive(Default)]
pub struct ClipPlayer {
    clip: Option<Arc<Clip>>,
    position_s: f64,
    is_paused: bool,
    played_at: Option<Instant>,
    due: Option<Instant>,
}

impl ClipPlayer {
    pub fn set(&mut self, clip: Option<&Arc<Clip>>, is_calm: bool) {
        let is_same = match (clip, &self.clip) {
            (Some(clip), Some(own)) => Arc::ptr_eq(clip, own),
            (clip, own) => clip.is_none() && own.is_none(),
        };
        if !is_same {
            *self = Self { clip: clip.cloned(), is_paused: is_calm, ..Self::default() };
        }
    }

    pub fn advance(&mut self, now: Instant, pace: Pace) -> Option<Duration> {
        let clip = self.clip.as_ref()?;
        let plays = !self.is_paused && clip.count() > 1;
        let runs = plays && pace.time == WorldTime::Runs;
        let since =
            self.played_at.take().map_or(Duration::ZERO, |then| now.saturating_duration_since(then).min(LONGEST));
        self.played_at = runs.then_some(now);
        let seconds = match pace.time {
            WorldTime::Steps(step) if plays => step.as_secs_f64(),
            WorldTime::Runs if runs && !pace.is_behind => since.as_secs_f64(),
            _ => 0.0,
        };
        let speed = f64::from(pace.speed);
        self.position_s = (self.position_s + seconds * speed).rem_euclid(clip.length_s());
        let [least, most] = WAIT_S;
        let wait_s = (clip.until_next_s(self.position_s) / speed).clamp(least, most);
        let wait = runs.then(|| Duration::from_secs_f64(wait_s));
        self.due = wait.map(|wait| now + wait);
        wait
    }

    pub fn is_due(&self, now: Instant) -> bool {
        self.due.is_some_and(|due| due <= now)
    }

    pub fn position_s(&self) -> f64 {
        self.position_s
    }

    pub fn toggle(&mut self) {
        self.is_paused = !self.is_paused;
    }

    pub fn seek(&mut self, frame: usize) {
        if let Some(clip) = &self.clip {
            self.position_s = clip.begin_s(frame.min(clip.count() - 1));
        }
    }

    pub fn state(&self) -> Option<ClipState> {
        let clip = self.clip.as_ref()?;
        let (frame, count) = (clip.frame_at(self.position_s), clip.count());
        Some(ClipState {
            frame,
            count,
            at_s: clip.begin_s(frame),
            length_s: clip.length_s(),
            is_paused: self.is_paused,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use media::clip::test_clip;

    #[test]
    fn a_clip_plays_pauses_and_goes_round() {
        let clip = test_clip("clip-player", [2, 2], 10); // 25 frames a second: 0.4 s
        let (mut player, start) = (ClipPlayer::default(), Instant::now());
        let pace = Pace { speed: 1.0, time: WorldTime::Runs, is_behind: false };
        let at = |ms: u64| start + Duration::from_millis(ms);
        let frame = |player: &ClipPlayer| player.state().unwrap().frame;
        assert!(player.state().is_none() && player.advance(start, pace).is_none());
        player.set(Some(&clip), false);
        let wait = player.advance(start, pace).unwrap();
        assert!(wait.abs_diff(Duration::from_millis(40)) < Duration::from_micros(2) && frame(&player) == 0);
        assert!(!player.is_due(at(39)) && player.is_due(at(41)));
        player.advance(at(90), pace).unwrap();
        assert_eq!(frame(&player), 2);
        player.advance(at(130), Pace { is_behind: true, ..pace }).unwrap();
        assert_eq!(frame(&player), 2, "time waits for the frame");
        player.advance(at(170), Pace { speed: 2.0, ..pace }).unwrap();
        assert_eq!(frame(&player), 4, "80 ms of the clip in 40 ms");
        player.toggle();
        assert!(player.advance(at(400), pace).is_none() && !player.is_due(at(9000)));
        assert_eq!((frame(&player), player.state().unwrap().is_paused), (4, true));
        player.toggle();
        player.advance(at(800), pace).unwrap();
        assert_eq!(frame(&player), 4, "the pause is no part of its time");
        player.seek(99);
        assert_eq!((frame(&player), player.state().unwrap().count), (9, 10));
        player.advance(at(850), pace).unwrap();
        assert_eq!(frame(&player), 0, "it goes round");
        assert!(player.advance(at(860), Pace { time: WorldTime::Paused, ..pace }).is_none());
        let before = player.position_s();
        player.advance(at(870), Pace { time: WorldTime::Steps(Duration::from_millis(16)), ..pace });
        assert!((player.position_s() - before - 0.016).abs() < 1e-9);
        player.set(Some(&clip), true);
        assert!(!player.state().unwrap().is_paused, "it is the same clip");
        player.set(None, true);
        player.set(Some(&clip), true);
        assert_eq!((frame(&player), player.state().unwrap().is_paused), (0, true), "nothing moves by itself");
    }
}
