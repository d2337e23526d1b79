//! Stencil with minimal work, item by item: `shaders/reflections/stencil.comp`.

pub fn first_value(item: u32) -> u32 {
    let mut x = item.wrapping_mul(0x9E37_79B9) ^ 0x85EB_CA6B;
    x = (x ^ x >> 16).wrapping_mul(0x7FEB_352D);
    x ^ x >> 15
}

pub fn is_marked(value: u32) -> bool {
    value & 1 != 0
}

pub fn step(value: u32, bounce: u32, depth: u32) -> (u32, bool) {
    let value = value.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    (value, bounce + 1 < depth && value >> 28 >= bounce)
}

pub fn run(items: u32, is_item: impl Fn(u32) -> bool, depth: u32, bounces: u32) -> (Vec<u32>, Vec<bool>) {
    let mut values: Vec<u32> = (0..items).map(first_value).collect();
    let mut live: Vec<bool> = values.iter().zip(0..).map(|(value, item)| is_item(item) && is_marked(*value)).collect();
    for bounce in 0..bounces.min(depth) {
        for (value, live) in values.iter_mut().zip(&mut live).filter(|(_, live)| **live) {
            (*value, *live) = step(*value, bounce, depth);
        }
    }
    (values, live)
}

pub struct Rule {
    pub words: u32,
    pub finish_below: u32,
    pub list_below: u32,
    pub gather_below: u32,
}

/// Automatic dispatch: 0 by all words, 1 by live ones, 2 by lanes (`gathered`: the bounce before was); workgroups;
/// whether its threads go on to the end.
pub fn automatic(rule: &Rule, gathered: bool, lanes: u32, live: u32) -> (u32, u32, bool) {
    let finishes = lanes < rule.finish_below;
    if gathered || 10 * u64::from(lanes) < u64::from(rule.gather_below) * 32 * u64::from(live) {
        (2, lanes.div_ceil(32), finishes)
    } else if live < rule.list_below {
        (1, live, finishes)
    } else {
        (0, rule.words, finishes)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dispatch {
    /// 0 to 2 as in [`automatic`], 3 by persistent workgroups, 4 by eight words each, 5 to the end.
    pub way: u32,
    pub groups: [u32; 3],
    pub lanes: u32,
    pub words: u32,
    pub done: u32,
    pub next: u32,
    pub finishes: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Bounce {
    pub live: Vec<bool>,
    pub call: Dispatch,
}

/// Bounces of items that live for `bounces[item]` of them, and the one after the last; `way`: as in [`Dispatch`], 6 is
/// automatic.
pub fn traced(bounces: &[u32], depth: u32, way: u32, rule: &Rule, workers: u32) -> Vec<Bounce> {
    let (mut gathered, mut is_over) = (false, false);
    let one = |bounce: u32| {
        let live: Vec<bool> = bounces.iter().map(|bounces| !is_over && bounce < depth && *bounces > bounce).collect();
        let lanes = live.iter().filter(|live| **live).count() as u32;
        if lanes == 0 {
            return Bounce { live, call: Dispatch::default() };
        }
        let words = live.chunks(32).filter(|word| word.contains(&true)).count() as u32;
        let words = if gathered { 0 } else { words };
        let (way, count, finishes) = match way {
            1 => (1, words, false),
            2 => (2, lanes.div_ceil(32), false),
            3 => (3, rule.words.min(workers), false),
            4 => (4, rule.words.div_ceil(8), false),
            5 => (5, rule.words, true),
            6 => automatic(rule, gathered, lanes, words),
            _ => (0, rule.words, false),
        };
        gathered = way == 2;
        is_over |= finishes;
        let groups = [count.min(1024), count.div_ceil(1024), 1];
        let done = if gathered { lanes.div_ceil(32) } else { words };
        let next = if way == 3 { rule.words + groups[0] * groups[1] } else { 0 };
        Bounce { live, call: Dispatch { way, groups, lanes, words, done, next, finishes } }
    };
    (0..=depth).map(one).collect()
}
