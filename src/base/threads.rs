//! Parallel loops on the CPU.

use std::sync::{Mutex, PoisonError};

const LEAST: usize = 1 << 16;

/// `size`: total amount of work, in texels.
pub fn share<I>(items: impl Iterator<Item = I> + Send, size: usize, work: impl Fn(I) + Sync) {
    if size < LEAST {
        return items.for_each(work);
    }
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let take = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(take);
        }
        take();
    });
}

pub fn in_parallel<I: Sync, O: Send>(items: &[I], size: usize, work: impl Fn(&I) -> O + Sync) -> Vec<O> {
    let mut made: Vec<Option<O>> = items.iter().map(|_| None).collect();
    share(made.iter_mut().zip(items), size, |(made, item)| *made = Some(work(item)));
    made.into_iter().flatten().collect()
}
