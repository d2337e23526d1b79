//! Completeness of JPEG files (ITU-T T.81): their markers and code words, read to the end without their pixels. A
//! decoder replaces what is missing by grey without an error.

use super::pixels::LONGEST_SIDE;
use anyhow::Result;

const START_OF_IMAGE: u8 = 0xD8;
const END_OF_IMAGE: u8 = 0xD9;
const START_OF_SCAN: u8 = 0xDA;

/// Bytes: a decoder's read-ahead is at most the longest code word with its extra bits (16 + 11) for each of the 10
/// blocks of the largest unit.
const FILL: usize = 64;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum State {
    #[default]
    Whole,
    /// A code word or a restart interval is wrong, or the image ends before its blocks.
    Damaged,
    /// The file ends before the blocks or the scans of its image.
    Cut,
}

/// `None` if the file is cut off, else whether its data is damaged as well.
pub fn whole<T>(bytes: &[u8], decode: impl Fn(&[u8]) -> Result<T>) -> Result<Option<(T, bool)>> {
    if !bytes.starts_with(&[0xFF, START_OF_IMAGE, 0xFF]) {
        return Ok(Some((decode(bytes)?, false)));
    }
    let (state, image) = examined(bytes);
    if state == State::Cut {
        return Ok(None);
    }
    // The last code words may lack their end marker, which a decoder needs.
    let kept = image.iter().rposition(|byte| *byte != 0xFF).map_or(0, |last| last + 1);
    let closed = [&image[..kept], &[0; FILL], &[0xFF, END_OF_IMAGE]].concat();
    Ok(Some((decode(&closed)?, state == State::Damaged)))
}

/// With the image, without its end marker and anything after it.
pub fn examined(bytes: &[u8]) -> (State, &[u8]) {
    let mut frame = Frame::default();
    let (mut at, mut end) = (0, bytes.len());
    while let Some((marker, after)) = next_marker(bytes, at) {
        at = after;
        match marker {
            END_OF_IMAGE if !frame.components.is_empty() => {
                end = at - 2;
                break;
            }
            START_OF_IMAGE | END_OF_IMAGE => continue,
            _ => {}
        }
        let length = bytes.get(at..at + 2).map(|two| usize::from(u16::from_be_bytes([two[0], two[1]])));
        let Some(payload) = length.filter(|n| *n >= 2).and_then(|n| bytes.get(at + 2..at + n)) else { break };
        at += 2 + payload.len();
        match marker {
            0xC4 => frame.read_codes(payload),
            0xDD => frame.interval = payload.get(..2).map_or(0, |two| u16::from_be_bytes([two[0], two[1]]).into()),
            0xC0..=0xCF if !matches!(marker, 0xC8 | 0xCC) && frame.components.is_empty() => {
                frame.begin(marker, payload);
            }
            START_OF_SCAN if !frame.is_complete() => frame.read_scan(payload, &bytes[at..]),
            _ => {}
        }
    }
    (if frame.is_complete() { frame.state } else { State::Cut }, &bytes[..end])
}

/// Within a scan FF is followed by 00 or a restart marker, which does not count.
fn next_marker(bytes: &[u8], mut at: usize) -> Option<(u8, usize)> {
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)? + 1;
        at += bytes.get(at..)?.iter().position(|byte| *byte != 0xFF)?;
        match bytes[at] {
            0x00 | 0x01 | 0xD0..=0xD7 => at += 1,
            marker => return Some((marker, at + 1)),
        }
    }
}

/// The bytes of a restart interval, its marker, and what is behind.
fn interval(bytes: &[u8]) -> (&[u8], Option<(u8, &[u8])>) {
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == 0xFF) {
        let begin = at + found;
        let Some(more) = bytes[begin..].iter().position(|byte| *byte != 0xFF) else { return (&bytes[..begin], None) };
        at = begin + more + 1;
        match bytes[at - 1] {
            0x00 if more == 1 => {}
            marker => return (&bytes[..begin], Some((marker, &bytes[at..]))),
        }
    }
    (bytes, None)
}

struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    left: u32,
}

impl Bits<'_> {
    fn bit(&mut self) -> Option<u32> {
        if self.left == 0 {
            self.at += match self.bytes.get(self.at.wrapping_sub(1)) {
                Some(0xFF) => 2,
                _ => 1,
            };
            self.left = 8;
        }
        let byte = self.bytes.get(self.at - 1)?;
        self.left -= 1;
        Some(u32::from(byte >> self.left & 1))
    }

    fn number(&mut self, bits: u8) -> Option<u32> {
        (0..bits).try_fold(0, |number, _| Some(number << 1 | self.bit()?))
    }

    fn behind(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }
}

/// Numbers of code words of 1 to 16 bits, and their symbols.
#[derive(Clone, Copy)]
struct Codes<'a> {
    counts: &'a [u8],
    symbols: &'a [u8],
}

impl Codes<'_> {
    fn symbol(&self, bits: &mut Bits<'_>) -> Option<u8> {
        let (mut code, mut first, mut index) = (0, 0, 0);
        for count in self.counts {
            code |= bits.bit()?;
            let count = u32::from(*count);
            if code < first + count {
                return self.symbols.get((index + code - first) as usize).copied();
            }
            index += count;
            (code, first) = (code << 1, (first + count) << 1);
        }
        None
    }
}

struct Component {
    id: u8,
    sampling: [usize; 2],
    /// Coefficients completed by scans.
    known: u64,
    /// Coefficients of each block that are not 0, which decide how many bits a later scan has.
    filled: Vec<u64>,
}

struct Scan<'a> {
    members: Vec<(usize, Option<Codes<'a>>, Option<Codes<'a>>)>,
    from: u32,
    to: u32,
    is_first: bool,
    /// Further blocks without new coefficients.
    run: u32,
}

#[derive(Default)]
struct Frame<'a> {
    state: State,
    /// Direct and alternating current.
    codes: [[Option<Codes<'a>>; 4]; 2],
    interval: usize,
    is_read: bool,
    is_progressive: bool,
    size: [usize; 2],
    components: Vec<Component>,
}

impl<'a> Frame<'a> {
    fn begin(&mut self, marker: u8, payload: &[u8]) {
        let [_, high, low, left, right, _, components @ ..] = payload else { return };
        self.is_progressive = matches!(marker, 0xC2 | 0xC6 | 0xCA | 0xCE);
        self.size = [[*left, *right], [*high, *low]].map(|side| u16::from_be_bytes(side).into());
        let component = |three: &[u8]| {
            let sampling = [three[1] >> 4, three[1] & 15].map(usize::from);
            Component { id: three[0], sampling, known: 0, filled: Vec::new() }
        };
        self.components = components.chunks_exact(3).map(component).collect();
        let is_sampled = |component: &Component| component.sampling.iter().all(|count| (1..=4).contains(count));
        let fits = self.size.iter().all(|side| (1..=LONGEST_SIDE as usize).contains(side));
        // Decoders refuse the others: arithmetic codes, no losses, a height behind the scan.
        self.is_read = marker <= 0xC2 && fits && self.components.iter().all(is_sampled);
    }

    fn read_codes(&mut self, mut payload: &'a [u8]) {
        while let Some((class, rest)) = payload.split_first() {
            let Some((counts, rest)) = rest.split_at_checked(16) else { return };
            let count = counts.iter().map(|count| usize::from(*count)).sum();
            let Some((symbols, rest)) = rest.split_at_checked(count) else { return };
            self.codes[usize::from(class >> 4 & 1)][usize::from(class & 3)] = Some(Codes { counts, symbols });
            payload = rest;
        }
    }

    fn is_complete(&self) -> bool {
        !self.components.is_empty() && self.components.iter().all(|component| component.known == u64::MAX)
    }

    fn read_scan(&mut self, payload: &[u8], data: &[u8]) {
        let count = payload.first().map_or(0, |count| usize::from(*count));
        let (Some(members), Some([from, to, bits])) = (payload.get(1..1 + 2 * count), payload.get(1 + 2 * count..))
        else {
            return;
        };
        let (from, to, is_last) = (u32::from(*from).min(63), u32::from(*to).min(63), bits & 15 == 0);
        let given = match self.is_progressive {
            false => u64::MAX,
            true if !is_last || from > to => 0,
            true => (u64::MAX >> (63 - (to - from))) << from,
        };
        let mut scan = Scan { members: Vec::new(), from, to, is_first: bits >> 4 == 0, run: 0 };
        for member in members.chunks_exact(2) {
            // Some programs give all components one name.
            let is_new = |index: usize| scan.members.iter().all(|(other, ..)| *other != index);
            let mut indices = 0..self.components.len();
            let Some(index) = indices.find(|index| self.components[*index].id == member[0] && is_new(*index)) else {
                return;
            };
            self.components[index].known |= given;
            let [direct, alternating] = [member[1] >> 4, member[1] & 15].map(|number| usize::from(number & 3));
            scan.members.push((index, self.codes[0][direct], self.codes[1][alternating]));
        }
        if self.is_read && self.state == State::Whole && !scan.members.is_empty() {
            self.state = self.units(&mut scan, data);
        }
    }

    fn units(&mut self, scan: &mut Scan<'_>, mut data: &[u8]) -> State {
        let most = |axis: usize| self.components.iter().map(|one| one.sampling[axis]).max().unwrap_or(1);
        let most = [most(0), most(1)];
        let sides = |axis: usize| match scan.members[..] {
            [(only, ..)] => (self.size[axis] * self.components[only].sampling[axis]).div_ceil(most[axis]).div_ceil(8),
            _ => self.size[axis].div_ceil(8 * most[axis]),
        };
        let count = sides(0) * sides(1);
        let is_alone = scan.members.len() == 1;
        let step = if self.interval == 0 { count } else { self.interval };
        for (number, begin) in (0..count).step_by(step.max(1)).enumerate() {
            let end = (begin + step).min(count);
            let (bytes, marker) = interval(data);
            let mut bits = Bits { bytes, at: 0, left: 0 };
            scan.run = 0;
            for unit in begin..end {
                for member in 0..scan.members.len() {
                    let component = &mut self.components[scan.members[member].0];
                    let blocks = if is_alone { 1 } else { component.sampling.iter().product() };
                    if is_alone && self.is_progressive && scan.from > 0 {
                        component.filled.resize(count, 0);
                    }
                    let mut filled = component.filled.get_mut(unit);
                    for _ in 0..blocks {
                        let read = match (self.is_progressive, filled.as_deref_mut()) {
                            (false, _) => scan.sequential(member, &mut bits),
                            (true, Some(filled)) if scan.from > 0 => scan.alternating(filled, &mut bits),
                            (true, _) => scan.direct(member, &mut bits),
                        };
                        if read.is_none() {
                            let is_end = marker.is_none() && bits.behind().is_empty();
                            return if is_end { State::Cut } else { State::Damaged };
                        }
                    }
                }
            }
            let is_padding = bits.behind().iter().all(|byte| matches!(byte, 0 | 0xFF));
            match marker {
                None if end < count => return State::Cut,
                Some((END_OF_IMAGE, _)) if !is_padding => return State::Damaged,
                _ if end == count => {}
                Some((marker, behind)) if is_padding && usize::from(marker) == 0xD0 + number % 8 => data = behind,
                _ => return State::Damaged,
            }
        }
        State::Whole
    }
}

impl Scan<'_> {
    fn sequential(&self, member: usize, bits: &mut Bits<'_>) -> Option<()> {
        let (_, direct, alternating) = self.members[member];
        let size = direct?.symbol(bits)?;
        bits.number(size)?;
        let mut next = 1;
        while next < 64 {
            let symbol = alternating?.symbol(bits)?;
            next += match (symbol >> 4, symbol & 15) {
                (15, 0) => 16,
                (_, 0) => return Some(()),
                (zeros, size) => {
                    bits.number(size)?;
                    zeros + 1
                }
            };
        }
        (next == 64).then_some(())
    }

    fn direct(&self, member: usize, bits: &mut Bits<'_>) -> Option<()> {
        let size = if self.is_first { self.members[member].1?.symbol(bits)? } else { 1 };
        bits.number(size).map(|_| ())
    }

    fn alternating(&mut self, filled: &mut u64, bits: &mut Bits<'_>) -> Option<()> {
        let codes = self.members[0].2?;
        let before = *filled;
        let mut next = self.from;
        while self.run == 0 && next <= self.to {
            let symbol = codes.symbol(bits)?;
            let (mut zeros, size) = (symbol >> 4, symbol & 15);
            if size == 0 && zeros < 15 {
                self.run = (1 << zeros) + bits.number(zeros)?;
                break;
            }
            bits.number(size)?;
            while next <= self.to {
                match before >> next & 1 {
                    0 if zeros == 0 => break,
                    0 => zeros -= 1,
                    _ => bits.bit().map(|_| ())?,
                }
                next += 1;
            }
            if size > 0 {
                (next <= self.to).then_some(())?;
                *filled |= 1 << next;
            }
            next += 1;
        }
        if self.run > 0 {
            let later = (next..=self.to).filter(|at| before >> at & 1 == 1).count();
            self.run -= 1;
            bits.number(later as u8)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(marker: u8, payload: &[u8]) -> Vec<u8> {
        let length = (payload.len() as u16 + 2).to_be_bytes();
        [&[0xFF, marker][..], &length, payload].concat()
    }

    /// Grey, 192x8: the block's average is the code word 0, or 1 and a bit; the end of its block is 0.
    fn begin(frame: u8) -> Vec<u8> {
        let codes = |class: u8, symbols: &[u8]| [&[class, symbols.len() as u8][..], &[0; 15], symbols].concat();
        let mut bytes = vec![0xFF, START_OF_IMAGE];
        bytes.extend(segment(0xE1, &[0xFF, 0xD9, 0xFF, 0xDA]));
        bytes.extend(segment(0xC4, &[codes(0x00, &[0, 1]), codes(0x10, &[0])].concat()));
        bytes.extend(segment(0xDD, &[0, 8]));
        bytes.extend(segment(frame, &[8, 0, 8, 0, 192, 1, 1, 0x11, 0]));
        bytes
    }

    const EIGHT: &[u8] = &[0xDB, 0x6D, 0xB6];
    const FIRST: &[u8] = &[0xFF, 0xD0];
    const SECOND: &[u8] = &[0xFF, 0xD1];
    const END: &[u8] = &[0xFF, END_OF_IMAGE];

    #[test]
    fn every_block_of_every_interval_is_read() {
        for (parts, wanted, what) in [
            (&[EIGHT, FIRST, EIGHT, SECOND, EIGHT, END][..], State::Whole, "whole"),
            (&[EIGHT, FIRST, EIGHT, SECOND, EIGHT], State::Whole, "no end marker"),
            (&[EIGHT, FIRST, EIGHT, SECOND, EIGHT, b"film\xFF\xDA"], State::Whole, "a film in its place"),
            (&[EIGHT, &[0], FIRST, EIGHT, SECOND, EIGHT, END], State::Whole, "padding"),
            (&[EIGHT, FIRST, &EIGHT[..2], SECOND, EIGHT, END], State::Damaged, "a short interval"),
            (&[EIGHT, FIRST, EIGHT, EIGHT, SECOND, EIGHT, END], State::Damaged, "a long interval"),
            (&[EIGHT, FIRST, EIGHT, SECOND, EIGHT, EIGHT, END], State::Damaged, "a long last interval"),
            (&[EIGHT, SECOND, EIGHT, FIRST, EIGHT, END], State::Damaged, "another order"),
            (&[EIGHT, FIRST, EIGHT, END], State::Damaged, "a lost interval"),
            (&[EIGHT, FIRST, &[0x7F, 0x6D, 0xB6], SECOND, EIGHT, END], State::Damaged, "no code word"),
            (&[EIGHT, FIRST, EIGHT, SECOND, &EIGHT[..2], END], State::Damaged, "an end marker behind a part"),
            (&[EIGHT, FIRST, EIGHT, SECOND, &EIGHT[..2]], State::Cut, "a part"),
            (&[EIGHT, FIRST, EIGHT, SECOND, &EIGHT[..2], &[0xFF]], State::Cut, "a part, half of a marker"),
            (&[EIGHT, FIRST, EIGHT, SECOND], State::Cut, "two intervals"),
            (&[EIGHT, FIRST, EIGHT], State::Cut, "two intervals without a marker"),
        ] {
            let scan = segment(START_OF_SCAN, &[1, 1, 0, 0, 63, 0]);
            assert_eq!(examined(&[begin(0xC0), scan, parts.concat()].concat()).0, wanted, "{what}");
        }
    }

    #[test]
    fn an_image_has_scans_for_all_coefficients() {
        for (frame, scans, is_whole) in [
            (0xC0, &[][..], false),
            (0xC1, &[[0, 63, 0]], true),
            (0xC2, &[[0, 0, 1], [1, 63, 2]], false),
            (0xC2, &[[0, 0, 0], [1, 5, 0]], false),
            (0xC2, &[[0, 0, 1], [1, 63, 1], [0, 0, 0x10], [1, 63, 0x10]], true),
            (0xC2, &[[0, 0, 0], [1, 5, 0], [6, 63, 0]], true),
        ] {
            let mut open = begin(frame);
            for [from, to, bits] in scans {
                // Of a progressive image, each block has an average of 0, a bit, or no further coefficients.
                let data = if frame == 0xC2 { &[0] } else { EIGHT };
                open.extend(segment(START_OF_SCAN, &[1, 1, 0, *from, *to, *bits]));
                open.extend([data, FIRST, data, SECOND, data].concat());
            }
            let wanted = if is_whole { State::Whole } else { State::Cut };
            for (file, what) in [(open.clone(), "open"), ([&open, END].concat(), "with an end marker")] {
                assert_eq!(examined(&file), (wanted, &open[..]), "{frame:x} {scans:?} {what}");
            }
        }
        for nothing in [&[][..], &[0xFF], &[0xFF, 0xD8], &[0xFF, 0xD8, 0xFF, 0xD9], &[7; 40], &[0xFF; 40]] {
            assert_eq!(examined(nothing).0, State::Cut, "{nothing:?}");
        }
    }
}
