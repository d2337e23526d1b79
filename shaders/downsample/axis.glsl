//! Integer coordinates along one axis: the axis has 2 * n * made units, a source pixel 2 * made of them, a result pixel 2 * n. Exact for
//! sides up to 16384.
#ifndef DOWNSAMPLE_AXIS
#define DOWNSAMPLE_AXIS

/// The first, and one past the last.
ivec2 covered(int i, int n, int made) { return ivec2(i * n / made, ((i + 1) * n + made - 1) / made); }

/// Their sum is 1.
float share_of(int k, int i, int n, int made) {
    return float(min((i + 1) * n, (k + 1) * made) - max(i * n, k * made)) / float(n);
}

int apart(int k, int i, int n, int made) { return (2 * k + 1) * made - (2 * i + 1) * n; }

#endif
