//! Layout of the sums and means of the numbers in their words. Up to four channels.
#ifndef SUMMED_AREA_MEANS
#define SUMMED_AREA_MEANS

/// By channel: the low and the high word of the sum; from here on the mean, the bits of a float that is a whole number
/// of 256ths.
const uint MEAN = 8;

#endif
