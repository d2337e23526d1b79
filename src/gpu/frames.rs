//! Frames in flight: begin, submission, and timings.
use super::{Gpu, error::Result, frame::Frame, frame_in_flight::FrameInFlight};
use base::timing::FrameTiming;
use std::{collections::VecDeque, sync::Arc, time::Instant};

pub struct Frames {
    gpu: Arc<Gpu>,
    limit: usize,
    number: u64,
    ended: Option<u64>,
    #[expect(clippy::vec_box, reason = "a slot travels between here and its frame, and is large")]
    free: Vec<Box<FrameInFlight>>,
    flying: VecDeque<Box<FrameInFlight>>,
    started: Instant,
    timings: VecDeque<FrameTiming>,
}

const KEPT_TIMINGS: usize = 1024;

impl Frames {
    pub fn new(gpu: &Arc<Gpu>, limit: usize) -> Self {
        Self {
            gpu: gpu.clone(),
            limit: limit.max(1),
            number: 0,
            ended: None,
            free: Vec::new(),
            flying: VecDeque::new(),
            started: Instant::now(),
            timings: VecDeque::new(),
        }
    }

    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit.max(1);
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    pub fn begin(&mut self) -> Result<Frame> {
        while self.flying.len() >= self.limit {
            self.retire(true)?;
        }
        self.poll()?;
        let mut in_flight = match self.free.pop() {
            Some(in_flight) => in_flight,
            None => FrameInFlight::new(&self.gpu)?,
        };
        in_flight.number = self.number;
        in_flight.begun_tick = self.gpu.now_ticks();
        in_flight.begun_us = self.started.elapsed().as_secs_f64() * 1e6;
        self.number += 1;
        Ok(Frame::new(&self.gpu, in_flight))
    }

    pub fn submit(&mut self, mut frame: Frame) -> Result<()> {
        let Some(mut in_flight) = frame.in_flight.take() else { return Ok(()) };
        in_flight.cpu_us = frame.begun.elapsed().as_secs_f64() * 1e6;
        let done = in_flight.submit(&self.gpu, frame.acquired, frame.presents, frame.begun);
        self.flying.push_back(in_flight);
        done
    }

    pub fn poll(&mut self) -> Result<()> {
        while self.retire(false)? {}
        Ok(())
    }

    pub fn wait(&mut self) -> Result<()> {
        while self.retire(true)? {}
        Ok(())
    }

    pub fn in_flight(&self) -> usize {
        self.flying.len()
    }

    pub fn take_timing(&mut self) -> Option<FrameTiming> {
        self.timings.pop_front()
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn has_ended_since(&self, number: u64) -> bool {
        self.ended.is_some_and(|ended| ended >= number)
    }

    fn retire(&mut self, wait: bool) -> Result<bool> {
        let Some(in_flight) = self.flying.front() else { return Ok(false) };
        if !in_flight.ended(&self.gpu, wait)? {
            return Ok(false);
        }
        if let Some(mut in_flight) = self.flying.pop_front() {
            self.ended = Some(in_flight.number).filter(|_| !in_flight.batches.is_empty()).or(self.ended);
            let timing = in_flight.recycle(&self.gpu)?;
            self.timings.push_back(timing);
            if self.timings.len() > KEPT_TIMINGS {
                self.timings.pop_front();
            }
            self.free.push(in_flight);
        }
        Ok(true)
    }

    pub fn once<R, E: From<super::Error>>(
        &mut self,
        record: impl FnOnce(&mut Frame) -> std::result::Result<R, E>,
    ) -> std::result::Result<(R, FrameTiming), E> {
        let mut frame = self.begin()?;
        let done = record(&mut frame)?;
        self.submit(frame)?;
        self.wait()?;
        let timing = self.timings.pop_back().unwrap_or_default();
        Ok((done, timing))
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.gpu.wait_to_drop();
        for in_flight in self.flying.iter_mut().chain(&mut self.free) {
            in_flight.destroy(&self.gpu);
        }
    }
}
