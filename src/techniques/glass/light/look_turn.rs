//! Turn of a look between dark and bright: it stays over a picture that flashes.

/// Seconds. Two turns are a flash: at most one a second (WCAG 2.3.1 allows three).
pub const HOLD_S: f32 = 0.5;
pub const FADE_S: f32 = 0.2;

/// The look, and the part of [`HOLD_S`] for which the picture has called for the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookTurn {
    is_bright: bool,
    opposed: f32,
}

impl LookTurn {
    pub fn new(is_bright: bool) -> Self {
        Self { is_bright, opposed: 0.0 }
    }

    pub fn next(self, wants_bright: bool, seconds: f32) -> Self {
        if wants_bright == self.is_bright {
            return Self::new(self.is_bright);
        }
        let opposed = self.opposed + seconds / HOLD_S;
        if opposed >= 1.0 { Self::new(wants_bright) } else { Self { opposed, ..self } }
    }

    pub fn is_bright(self) -> bool {
        self.is_bright
    }

    pub fn is_pending(self) -> bool {
        self.opposed > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over a picture that is bright for the part `duty` of each period.
    fn turns(flashes_hz: f64, duty: f64, frames_hz: f64) -> Vec<f64> {
        let mut turn = LookTurn::new(true);
        let mut turns = Vec::new();
        for frame in 0..(12.0 * frames_hz) as u32 {
            let at = f64::from(frame) / frames_hz;
            let next = turn.next((at * flashes_hz).fract() < duty, (1.0 / frames_hz) as f32);
            if next.is_bright() != turn.is_bright() {
                turns.push(at);
            }
            turn = next;
        }
        turns
    }

    #[test]
    fn it_stays_over_a_picture_that_flashes() {
        for flashes_hz in [3.0, 7.0, 10.0, 12.5, 15.0, 25.0, 29.0, 30.0, 50.0, 59.0, 60.0] {
            for duty in [0.2, 0.5, 0.8] {
                for frames_hz in [2.0 * flashes_hz / f64::min(duty, 1.0 - duty), 480.0] {
                    assert_eq!(turns(flashes_hz, duty, frames_hz), [0.0; 0], "{flashes_hz} Hz, {duty}, {frames_hz}");
                }
            }
        }
    }

    #[test]
    fn it_never_flashes_more_than_once_a_second() {
        let (mut most, mut all) = (0, 0);
        for tenths in (1..100).chain((100..=600).step_by(7)) {
            for frames_hz in [4.0, 7.0, 15.0, 24.0, 60.0, 144.0] {
                let turns = turns(f64::from(tenths) * 0.1, 0.5, frames_hz);
                let within = |from: f64| turns.iter().filter(|at| (from..from + 1.0 - 1e-9).contains(*at)).count();
                most = turns.iter().map(|from| within(*from)).max().unwrap_or(0).max(most);
                all += turns.len();
            }
        }
        assert!(most <= 2 && all > 100, "{most} turns in a second, {all} in all");
    }

    #[test]
    fn it_follows_a_picture_that_stays() {
        let mut turn = LookTurn::new(false);
        let mut seconds = 0.0;
        while !turn.is_bright() {
            assert!(seconds < HOLD_S + 0.02 && turn.is_pending() == (seconds > 0.0));
            turn = turn.next(true, 0.016);
            seconds += 0.016;
        }
        assert!(seconds >= HOLD_S - 1e-3 && !turn.is_pending());
        assert_eq!(turn.next(false, 0.1).next(true, 0.0), turn, "a short break is forgotten");
    }
}
