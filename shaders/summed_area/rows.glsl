//! Rows (ROWS_EACH) for each 32 invocations: a value a lane in each, summed along the rows.
#ifndef SUMMED_AREA_ROWS
#define SUMMED_AREA_ROWS
#include "summed_area/lanes.glsl"
#include "summed_area/sum.glsl"

const uint ROWS = ROWS_EACH, STRIPS = THREADS / 32, ALL_ROWS = ROWS * STRIPS;

shared uint row_total[ALL_ROWS];

#if !SHUFFLE
// 32 rows at the same lane are in 32 banks.
shared uint row_part[ALL_ROWS * 33];
#endif

/// Of its row, up to its lane.
void scan_rows(inout uint values[ROWS]) {
    uint lane = me() & 31, strip = me() / 32;
#if SHUFFLE
    // Lanes before the row's first are never counted.
    [[unroll]] for (uint back = 1; back < 32; back *= 2) {
        [[unroll]] for (uint row = 0; row < ROWS; ++row) {
            uint other = subgroupShuffleUp(values[row], back);
            if (lane >= back) values[row] = add(values[row], other);
        }
    }
#else
    for (uint row = 0; row < ROWS; ++row) row_part[(strip * ROWS + row) * 33 + lane] = values[row];
    barrier();
    if (me() < ALL_ROWS) {
        uint sum = row_part[me() * 33];
        for (uint at = 1; at < 32; ++at) {
            sum = add(sum, row_part[me() * 33 + at]);
            row_part[me() * 33 + at] = sum;
        }
    }
    barrier();
    for (uint row = 0; row < ROWS; ++row) values[row] = row_part[(strip * ROWS + row) * 33 + lane];
#endif
    if (lane == 31) {
        [[unroll]] for (uint row = 0; row < ROWS; ++row) row_total[strip * ROWS + row] = values[row];
    }
}

#endif
