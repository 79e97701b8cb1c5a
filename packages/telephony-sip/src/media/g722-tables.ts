/** Tables of ITU-T G.722, with the names that it gives them. */

/** Coefficients of the quadrature mirror filters, halved by symmetry. */
export const QMF = Int16Array.of(3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11)

/** Decision levels of the lower band (Q6), from the second on. */
export const Q6 = Int16Array.from([
  35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121, 1219,
  1339, 1458, 1612, 1765, 1980, 2195, 2557, 2919,
])

/** Output of the 6-bit inverse quantizer of the lower band by code (QM6). */
export const QM6 = Int16Array.from([
  -136, -136, -136, -136, -24_808, -21_904, -19_008, -16_704, -14_984, -13_512, -12_280, -11_192, -10_232,
  -9360, -8576, -7856, -7192, -6576, -6000, -5456, -4944, -4464, -4008, -3576, -3168, -2776, -2400, -2032,
  -1688, -1360, -1040, -728, 24_808, 21_904, 19_008, 16_704, 14_984, 13_512, 12_280, 11_192, 10_232, 9360,
  8576, 7856, 7192, 6576, 6000, 5456, 4944, 4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728,
  432, 136, -432, -136,
])

/** The same of 4 bits, from which both sides adapt (QM4). */
export const QM4 = Int16Array.from([
  0, -20_456, -12_896, -8968, -6288, -4240, -2584, -1200, 20_456, 12_896, 8968, 6288, 4240, 2584, 1200, 0,
])

/** Output of the inverse quantizer of the higher band (QM2). */
export const QM2 = Int16Array.of(-7408, -1616, 7408, 1616)

/** Logarithmic scale factor multipliers by code: WL over RL42, and WH over RH2. */
export const LOWER_STEPS = Int16Array.from([
  -60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60,
])
export const HIGHER_STEPS = Int16Array.of(798, -214, 798, -214)

/** Mantissas of the scale factors (ILB): 2048 × 2^(n / 32). */
export const ILB = Int16Array.from([
  2048, 2093, 2139, 2186, 2233, 2282, 2332, 2383, 2435, 2489, 2543, 2599, 2656, 2714, 2774, 2834, 2896, 2960,
  3025, 3091, 3158, 3228, 3298, 3371, 3444, 3520, 3597, 3676, 3756, 3838, 3922, 4008,
])
