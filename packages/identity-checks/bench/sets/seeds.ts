/**
 * Seeds of random specimens. Thresholds are set on the first set; the second only measures them. If you set a threshold by
 * its results, give it new seeds. The random sequences of the two sets do not overlap within three million numbers.
 */
export const SEEDS = {
  tuning: { people: 9303, spoiling: 20_261_121, videos: 161_803_398 },
  heldOut: { people: 314_159_265, spoiling: 2_718_281_828, videos: 1_414_213_562 },
} as const

export type SetName = keyof typeof SEEDS
export const SETS: Readonly<Record<SetName, string>> = { tuning: 'tuning', heldOut: 'held out' }
