//! Resource accesses of passes, and the barrier between two of them.
use ash::vk;
use vk::{AccessFlags2 as A, ImageLayout as L, PipelineStageFlags2 as S};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stages(u8);

impl Stages {
    pub const COMPUTE: Self = Self(1);
    pub const VERTEX: Self = Self(2);
    pub const TASK: Self = Self(4);
    pub const MESH: Self = Self(8);
    pub const FRAGMENT: Self = Self(16);

    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn pipeline(self) -> S {
        let table = [
            (Self::COMPUTE, S::COMPUTE_SHADER),
            (Self::VERTEX, S::VERTEX_SHADER),
            (Self::TASK, S::TASK_SHADER_EXT),
            (Self::MESH, S::MESH_SHADER_EXT),
            (Self::FRAGMENT, S::FRAGMENT_SHADER),
        ];
        table.into_iter().filter(|(stage, _)| self.has(*stage)).fold(S::NONE, |sum, (_, flag)| sum | flag)
    }

    pub(super) fn shader(self) -> vk::ShaderStageFlags {
        use vk::ShaderStageFlags as F;
        let table = [
            (Self::COMPUTE, F::COMPUTE),
            (Self::VERTEX, F::VERTEX),
            (Self::TASK, F::TASK_EXT),
            (Self::MESH, F::MESH_EXT),
            (Self::FRAGMENT, F::FRAGMENT),
        ];
        table.into_iter().filter(|(stage, _)| self.has(*stage)).fold(F::empty(), |sum, (_, flag)| sum | flag)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Sample(Stages),
    Uniform(Stages),
    Read(Stages),
    Write(Stages),
    ReadWrite(Stages),
    Color,
    Depth,
    SampleDepth(Stages),
    Indirect,
    Vertex,
    TransferRead,
    TransferWrite,
    HostRead,
    BuildInput,
    BuildOver,
    Build,
    Trace(Stages),
    Present,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Scope {
    pub stage: S,
    pub access: A,
    pub layout: L,
    pub writes: bool,
}

impl Access {
    pub fn scope(self) -> Scope {
        let (stage, access, layout, writes) = match self {
            Self::Sample(s) => (s.pipeline(), A::SHADER_SAMPLED_READ, L::SHADER_READ_ONLY_OPTIMAL, false),
            Self::Uniform(s) => (s.pipeline(), A::UNIFORM_READ, L::UNDEFINED, false),
            Self::Read(s) => (s.pipeline(), A::SHADER_STORAGE_READ, L::GENERAL, false),
            Self::Write(s) => (s.pipeline(), A::SHADER_STORAGE_WRITE, L::GENERAL, true),
            Self::ReadWrite(s) => (s.pipeline(), A::SHADER_STORAGE_READ | A::SHADER_STORAGE_WRITE, L::GENERAL, true),
            Self::Color => (
                S::COLOR_ATTACHMENT_OUTPUT,
                A::COLOR_ATTACHMENT_READ | A::COLOR_ATTACHMENT_WRITE,
                L::COLOR_ATTACHMENT_OPTIMAL,
                true,
            ),
            Self::Depth => (
                S::EARLY_FRAGMENT_TESTS | S::LATE_FRAGMENT_TESTS,
                A::DEPTH_STENCIL_ATTACHMENT_READ | A::DEPTH_STENCIL_ATTACHMENT_WRITE,
                L::DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                true,
            ),
            Self::SampleDepth(s) => (s.pipeline(), A::SHADER_SAMPLED_READ, L::DEPTH_STENCIL_READ_ONLY_OPTIMAL, false),
            Self::Indirect => (S::DRAW_INDIRECT, A::INDIRECT_COMMAND_READ, L::UNDEFINED, false),
            Self::Vertex => (S::VERTEX_ATTRIBUTE_INPUT, A::VERTEX_ATTRIBUTE_READ, L::UNDEFINED, false),
            Self::TransferRead => (S::ALL_TRANSFER, A::TRANSFER_READ, L::TRANSFER_SRC_OPTIMAL, false),
            Self::TransferWrite => (S::ALL_TRANSFER, A::TRANSFER_WRITE, L::TRANSFER_DST_OPTIMAL, true),
            Self::HostRead => (S::HOST, A::HOST_READ, L::GENERAL, false),
            Self::BuildInput => (S::ACCELERATION_STRUCTURE_BUILD_KHR, A::SHADER_READ, L::UNDEFINED, false),
            Self::BuildOver => {
                (S::ACCELERATION_STRUCTURE_BUILD_KHR, A::ACCELERATION_STRUCTURE_READ_KHR, L::UNDEFINED, false)
            }
            Self::Build => (
                S::ACCELERATION_STRUCTURE_BUILD_KHR,
                A::ACCELERATION_STRUCTURE_READ_KHR | A::ACCELERATION_STRUCTURE_WRITE_KHR,
                L::UNDEFINED,
                true,
            ),
            Self::Trace(s) => (s.pipeline(), A::ACCELERATION_STRUCTURE_READ_KHR, L::UNDEFINED, false),
            Self::Present => (S::NONE, A::NONE, L::PRESENT_SRC_KHR, false),
        };
        Scope { stage, access, layout, writes }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Queue {
    #[default]
    Graphics,
    Compute,
}

impl Queue {
    pub fn other(self) -> Self {
        match self {
            Self::Graphics => Self::Compute,
            Self::Compute => Self::Graphics,
        }
    }
}

/// 0: never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    layout: L,
    write: (S, A),
    write_at: (Queue, u64),
    reads: [(S, A); 2],
    read_at: [u64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hazard {
    pub src: Scope,
    pub dst: Scope,
    pub barrier: bool,
    /// Batch of the other queue that must have completed; 0: none.
    pub wait: u64,
}

impl State {
    pub fn acquired(stage: S) -> Self {
        Self { write: (stage, A::NONE), ..Self::default() }
    }

    pub fn layout(&self) -> L {
        self.layout
    }

    pub fn wait(&self, how: Access, queue: Queue) -> u64 {
        let dst = how.scope();
        let other = queue.other();
        let write = if self.write_at.0 == other { self.write_at.1 } else { 0 };
        if dst.writes || self.moves(dst) { write.max(self.read_at[other as usize]) } else { write }
    }

    /// All accesses by `owner`, for the release barrier of an ownership transfer in `batch`.
    pub fn release(&mut self, owner: Queue, batch: u64) -> Scope {
        let here = self.write_at.0 == owner || self.write_at.1 == 0;
        let write = if here { self.write } else { (S::NONE, A::NONE) };
        let src =
            Scope { stage: write.0 | self.reads[owner as usize].0, access: write.1, layout: self.layout, writes: true };
        *self = Self { layout: self.layout, write_at: (owner, batch), ..Self::default() };
        src
    }

    /// Orders all later accesses of the queue after this one. Returns the other queue's batch to wait for.
    pub fn acquire(&mut self, how: Access, queue: Queue, batch: u64) -> u64 {
        let (dst, wait) = (how.scope(), self.wait(how, queue));
        *self = Self {
            layout: self.layout,
            write: (dst.stage, if dst.writes { dst.access } else { A::NONE }),
            write_at: (queue, batch),
            ..Self::default()
        };
        if !dst.writes {
            self.reads[queue as usize] = (dst.stage, dst.access);
            self.read_at[queue as usize] = batch;
        }
        wait
    }

    fn moves(&self, dst: Scope) -> bool {
        dst.layout != L::UNDEFINED && self.layout != dst.layout
    }

    pub fn touch(&mut self, how: Access, queue: Queue, batch: u64) -> Option<Hazard> {
        let (dst, q) = (how.scope(), queue as usize);
        let wait = self.wait(how, queue);
        let exclusive = dst.writes || self.moves(dst);
        let here = self.write_at.0 == queue || self.write_at.1 == 0;
        // A write of the other queue is flushed by the semaphore; only a layout change remains.
        let (mut stage, access) = if here { self.write } else { (S::NONE, A::NONE) };
        if exclusive {
            stage |= self.reads[q].0;
        }
        if wait != 0 {
            stage |= dst.stage; // chains the layout change to the semaphore's wait
        }
        let visible = self.reads[q].0.contains(dst.stage) && self.reads[q].1.contains(dst.access);
        let barrier =
            if exclusive { stage != S::NONE || self.moves(dst) } else { here && !visible && stage != S::NONE };
        let src = Scope { stage, access, layout: self.layout, writes: access != A::NONE };
        let new_layout = if dst.layout == L::UNDEFINED { self.layout } else { dst.layout };
        if exclusive {
            let reads = if dst.writes { (S::NONE, A::NONE) } else { (dst.stage, dst.access) };
            *self = Self {
                layout: new_layout,
                write: (dst.stage, if dst.writes { dst.access } else { A::NONE }),
                write_at: (queue, batch),
                ..Self::default()
            };
            self.reads[q] = reads;
        } else {
            self.reads[q].0 |= dst.stage;
            self.reads[q].1 |= dst.access;
        }
        if !dst.writes {
            self.read_at[q] = batch;
        }
        (barrier || wait != 0).then_some(Hazard { src, dst: Scope { layout: new_layout, ..dst }, barrier, wait })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Queue::{Compute, Graphics};
    const C: Stages = Stages::COMPUTE;
    const F: Stages = Stages::FRAGMENT;

    fn after(touches: &[(Access, Queue, u64)]) -> State {
        let mut state = State::default();
        for (access, queue, batch) in touches {
            state.touch(*access, *queue, *batch);
        }
        state
    }

    #[test]
    fn read_after_write_waits_once() {
        let mut s = State::default();
        assert!(s.touch(Access::Write(C), Graphics, 1).is_some(), "the first touch sets the layout");
        let h = s.touch(Access::Read(C), Graphics, 1).unwrap();
        assert_eq!(h.src.access, A::SHADER_STORAGE_WRITE);
        assert!(s.touch(Access::Read(C), Graphics, 1).is_none(), "a second read needs nothing");
        let h = s.touch(Access::Read(F), Graphics, 1).expect("another stage has not seen the write");
        assert_eq!((h.src.stage, h.dst.stage), (S::COMPUTE_SHADER, S::FRAGMENT_SHADER));
    }

    #[test]
    fn a_write_waits_for_a_write_and_for_every_reader() {
        let mut s = after(&[(Access::Write(C), Graphics, 1)]);
        assert_eq!(s.touch(Access::Write(C), Graphics, 1).unwrap().src.access, A::SHADER_STORAGE_WRITE);
        s.touch(Access::Read(C), Graphics, 1);
        s.touch(Access::Read(F), Graphics, 1);
        let h = s.touch(Access::Write(C), Graphics, 2).unwrap();
        assert!(h.src.stage.contains(S::COMPUTE_SHADER | S::FRAGMENT_SHADER));
        assert!(h.barrier && h.wait == 0);
    }

    #[test]
    fn a_new_layout_is_a_write() {
        let mut s = after(&[(Access::Write(C), Graphics, 1)]);
        let h = s.touch(Access::Sample(F), Graphics, 1).unwrap();
        assert_eq!((h.src.layout, h.dst.layout), (L::GENERAL, L::SHADER_READ_ONLY_OPTIMAL));
        let h = s.touch(Access::Sample(C), Graphics, 1).expect("another stage waits for the change of layout");
        assert_eq!(h.src.stage, S::FRAGMENT_SHADER);
        assert!(s.touch(Access::Sample(C), Graphics, 2).is_none());
    }

    #[test]
    fn buffers_keep_no_layout() {
        let h = after(&[(Access::Write(C), Graphics, 1)]).touch(Access::Indirect, Graphics, 1).unwrap();
        assert_eq!((h.dst.stage, h.dst.layout), (S::DRAW_INDIRECT, L::GENERAL));
    }

    #[test]
    fn another_queue_waits_for_the_batch() {
        let mut s = after(&[(Access::Write(C), Compute, 7)]);
        let h = s.touch(Access::Read(C), Graphics, 8).unwrap();
        assert_eq!((h.wait, h.barrier), (7, false), "the semaphore flushes");
        assert_eq!(s.touch(Access::Write(C), Compute, 9).unwrap().wait, 8);
        let h = after(&[(Access::Write(C), Compute, 7)]).touch(Access::Sample(F), Graphics, 8).unwrap();
        assert!(h.barrier && h.wait == 7, "the layout changes after the wait");
        assert_eq!((h.src.stage, h.src.access), (S::FRAGMENT_SHADER, A::NONE));
    }

    #[test]
    fn readers_on_both_queues_hold_up_a_writer() {
        let readers =
            [(Graphics, 1), (Compute, 2), (Graphics, 3)].map(|(queue, batch)| (Access::Read(C), queue, batch));
        let mut s = after(&[&[(Access::Write(C), Graphics, 1)][..], &readers].concat());
        let h = s.touch(Access::Write(C), Graphics, 4).unwrap();
        assert!(h.barrier && h.wait == 2);
    }

    #[test]
    fn an_acquired_image_chains_to_its_semaphore() {
        let h = State::acquired(S::COLOR_ATTACHMENT_OUTPUT).touch(Access::Color, Graphics, 1).unwrap();
        assert_eq!((h.src.stage, h.src.layout), (S::COLOR_ATTACHMENT_OUTPUT, L::UNDEFINED));
    }

    #[test]
    fn transferred_buffers_are_waited_for_and_visible_to_every_stage() {
        let mut s = after(&[(Access::Write(C), Compute, 1), (Access::Read(C), Compute, 1)]);
        let src = s.release(Compute, 1);
        assert_eq!((src.stage, src.access), (S::COMPUTE_SHADER, A::SHADER_STORAGE_WRITE));
        assert_eq!(s.acquire(Access::Vertex, Graphics, 2), 1);
        assert!(s.touch(Access::Vertex, Graphics, 2).is_none(), "the same stage has it");
        let other = s.touch(Access::Read(F), Graphics, 2).expect("another stage waits for the acquisition");
        assert_eq!((other.src.stage, other.wait, other.barrier), (S::VERTEX_ATTRIBUTE_INPUT, 0, true));
        let src = s.release(Graphics, 3);
        assert!(src.stage.contains(S::VERTEX_ATTRIBUTE_INPUT | S::FRAGMENT_SHADER), "{src:?}");
        assert_eq!(s.acquire(Access::Write(C), Compute, 4), 3);
        let h = s.touch(Access::Read(C), Compute, 4).unwrap();
        assert_eq!((h.src.access, h.wait), (A::SHADER_STORAGE_WRITE, 0));
    }
}
