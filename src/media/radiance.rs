//! Radiance pictures (.hdr): three bytes with a shared exponent for each pixel, run by run (Ward, "Real Pixels", Graphics Gems II, 1991).

use anyhow::{Context as _, Result, bail, ensure};

const MOST_LINES: usize = 1000;

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).context("the file is cut off")?;
        self.0 = rest;
        Ok(taken)
    }

    fn line(&mut self) -> Result<&'a str> {
        let end = self.0.iter().position(|byte| *byte == b'\n').context("the file is cut off in its header")?;
        let line = self.take(end + 1)?;
        std::str::from_utf8(&line[..end]).map(|line| line.trim_end_matches('\r')).context("the header is no text")
    }
}

pub(super) fn is_radiance(bytes: &[u8]) -> bool {
    bytes.starts_with(b"#?RADIANCE") || bytes.starts_with(b"#?RGBE")
}

/// `check` refuses sizes before pixels are read.
pub(super) fn decode(bytes: &[u8], check: impl Fn([u32; 2]) -> Result<()>) -> Result<([u32; 2], Vec<[f32; 3]>)> {
    let mut bytes = Bytes(bytes);
    bytes.line()?;
    let mut exposure = 1.0_f32;
    let mut lines = 0;
    loop {
        let line = bytes.line()?;
        lines += 1;
        ensure!(lines < MOST_LINES, "the header has no end");
        if line.is_empty() {
            break;
        }
        if let Some(format) = line.strip_prefix("FORMAT=") {
            ensure!(format.trim() == "32-bit_rle_rgbe", "the format is {:.40}, not 32-bit_rle_rgbe", format.trim());
        }
        if let Some(factor) = line.strip_prefix("EXPOSURE=") {
            let factor = factor.trim().parse::<f32>().ok().filter(|factor| factor.is_finite() && *factor > 0.0);
            exposure *= factor.context("EXPOSURE is no number above 0")?;
        }
    }
    let line = bytes.line()?;
    let [width, height] = size_of(line)?;
    check([width, height])?;
    let width = width as usize;
    let mut texels = Vec::with_capacity(width * height as usize);
    let mut row = vec![[0_u8; 4]; width];
    for y in 0..height {
        read_row(&mut bytes, &mut row).with_context(|| format!("row {y} of {height}"))?;
        texels.extend(row.iter().map(|texel| light_of(*texel, exposure)));
    }
    Ok(([width as u32, height], texels))
}

fn size_of(line: &str) -> Result<[u32; 2]> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["-Y", height, "+X", width] => match (width.parse(), height.parse()) {
            (Ok(width), Ok(height)) => Ok([width, height]),
            _ => bail!("the size is {line:.40}"),
        },
        _ => bail!("the size line is {line:.40}, not -Y HEIGHT +X WIDTH"),
    }
}

fn light_of([r, g, b, exponent]: [u8; 4], exposure: f32) -> [f32; 3] {
    if exponent == 0 {
        return [0.0; 3];
    }
    let unit = 2_f32.powi(i32::from(exponent) - 136) / exposure;
    [r, g, b].map(|mantissa| f32::from(mantissa) * unit)
}

fn read_row(bytes: &mut Bytes<'_>, row: &mut [[u8; 4]]) -> Result<()> {
    let width = row.len();
    let begins_runs = matches!(bytes.0, [2, 2, high, low, ..] if usize::from(*high) << 8 | usize::from(*low) == width);
    if !(8..1 << 15).contains(&width) || !begins_runs {
        return read_old_row(bytes, row);
    }
    bytes.take(4)?;
    for channel in 0..4 {
        let mut x = 0;
        while x < width {
            let count = usize::from(bytes.take(1)?[0]);
            let (count, is_run) = if count > 128 { (count - 128, true) } else { (count, false) };
            ensure!(count > 0 && x + count <= width, "a run is longer than the row");
            if is_run {
                let value = bytes.take(1)?[0];
                row[x..x + count].iter_mut().for_each(|texel| texel[channel] = value);
            } else {
                for (texel, value) in row[x..x + count].iter_mut().zip(bytes.take(count)?) {
                    texel[channel] = *value;
                }
            }
            x += count;
        }
    }
    Ok(())
}

/// 1, 1, 1, n repeats the last pixel n times, and another such pixel after it n times 256.
fn read_old_row(bytes: &mut Bytes<'_>, row: &mut [[u8; 4]]) -> Result<()> {
    let (mut x, mut shift) = (0, 0);
    while x < row.len() {
        let taken = bytes.take(4)?;
        let texel = [taken[0], taken[1], taken[2], taken[3]];
        if texel[..3] != [1, 1, 1] {
            row[x] = texel;
            (x, shift) = (x + 1, 0);
            continue;
        }
        ensure!(shift <= 16, "a run is longer than the row");
        let count = usize::from(texel[3]) << shift;
        ensure!(x > 0 && x + count <= row.len(), "a run is longer than the row");
        let last = row[x - 1];
        row[x..x + count].fill(last);
        (x, shift) = (x + count, shift + 8);
    }
    Ok(())
}
