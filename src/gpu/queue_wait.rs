//! Waits of one queue for the other: resource and passes.
use super::{
    access::Queue,
    bind::{Resource, ResourceUse},
    error::{Error, Result},
    frame_in_flight::FrameInFlight,
};
use base::timing::QueueWait;

pub(super) struct WaitRow {
    pub pass: usize,
    pub batch: u64,
    pub resource: String,
}

pub(super) fn latest_wait<'a>(pass: &str, touches: &'a [ResourceUse], queue: Queue) -> Result<(u64, &'a str)> {
    let poisoned = || Error::Pass { pass: pass.into(), problem: "poisoned state".into() };
    let mut latest = (0, "");
    for touch in touches {
        let (wait, name) = match &touch.resource {
            Resource::Buffer(b) => (b.0.state.lock().map_err(|_| poisoned())?.wait(touch.how, queue), &b.0.name),
            Resource::ImageView(v) => {
                let states = v.image.0.states.lock().map_err(|_| poisoned())?;
                let levels = &states[v.base as usize..(v.base + v.count) as usize];
                let wait = levels.iter().map(|state| state.wait(touch.how, queue)).max();
                (wait.unwrap_or(0), &v.image.0.name)
            }
        };
        if wait > latest.0 {
            latest = (wait, name.as_str());
        }
    }
    Ok(latest)
}

impl FrameInFlight {
    pub fn note_wait(&mut self, batch: u64, resource: &str) {
        self.waits.push(WaitRow { pass: self.passes.len(), batch, resource: resource.to_owned() });
    }

    pub fn queue_waits(&self) -> Vec<QueueWait> {
        // A batch without a pass only releases buffers; its waits are in earlier batches.
        let last = |wait: &WaitRow| {
            let own = self.passes.get(wait.pass)?;
            self.passes.iter().rposition(|row| row.queue != own.queue && row.batch <= wait.batch)
        };
        let is_done = |wait: &&WaitRow| wait.pass < self.passes.len();
        let waits = self.waits.iter().filter(is_done);
        waits.map(|wait| QueueWait { pass: wait.pass, after: last(wait), resource: wait.resource.clone() }).collect()
    }

    pub fn window_pass(&self) -> Option<usize> {
        let batch = self.target_batch?;
        self.passes.iter().position(|row| row.batch == batch)
    }
}
