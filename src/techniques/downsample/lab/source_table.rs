//! Table of the source document on downsampling: 2048x2048 to 64x64 by CPU and GPU time.

use lab::{Column, SourceRow, source_row as row};

/// Time until the result, and on the GPU, of the first frame and of the second.
pub const COLUMNS: [Column; 4] = [
    Column::new("CPU 1st", "The source's first frame: resources, submission and waiting"),
    Column::new("GPU 1st", "The source's first frame on the GPU"),
    Column::new("CPU 2nd", "The source's second frame: resources, submission and waiting"),
    Column::new("GPU 2nd", "The source's second frame on the GPU"),
];

pub const ROWS: [SourceRow; 5] = [
    row("glGenerateMipmap (here: mip chain)", &["10.8 ms", "2.2 ms", "2.4 ms", "2.1 ms"], &["mip_chain"]),
    row("a draw for each level", &["9.8 ms", "1.4 ms", "9.3 ms", "1.5 ms"], &["raster_chain"]),
    row("a blit for each level", &["1.9 ms", "1.5 ms", "1.8 ms", "1.5 ms"], &["blit_chain"]),
    row("mean of the area, compute", &["", "", "0.9 ms", "0.9 ms"], &["area_compute"]),
    row("mean of the area, fragment", &[], &["area_fragment"]),
];
