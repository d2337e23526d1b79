// What results are written as. The includer defines TEXELS: 0 floats, 1 half floats, 2 bytes.
#ifndef DOWNSAMPLE_TEXELS
#define DOWNSAMPLE_TEXELS

#if TEXELS == 0
#define FORMAT rgba32f
#elif TEXELS == 1
#define FORMAT rgba16f
#else
#define FORMAT rgba8
#endif

#endif
