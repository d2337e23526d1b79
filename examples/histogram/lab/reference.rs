//! Reference implementation of the histogram.

/// Pixels by brightness, `count` bins; `rgba`: 8 bits a channel.
pub fn histogram(rgba: &[u8], count: u32) -> Vec<u32> {
    let mut bins = vec![0; count as usize];
    for texel in rgba.chunks_exact(4) {
        let brightness = texel[..3].iter().map(|v| u32::from(*v)).sum::<u32>() / 3;
        bins[(brightness * count / 256) as usize] += 1;
    }
    bins
}
