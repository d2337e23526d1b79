//! Layout of the sums and means of the numbers in their words. Up to four channels.
#ifndef SUMMED_AREA_MEANS
#define SUMMED_AREA_MEANS

/// By channel: low and high word of the sum; then the mean, a float, a whole number of 256ths.
const uint MEAN = 8;

#endif
