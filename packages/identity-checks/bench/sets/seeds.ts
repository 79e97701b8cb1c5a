/**
 * What random specimens are drawn from. Thresholds are set on the first set. The second only measures them: whoever sets
 * one by what it shows gives it other seeds. Of two sets none draws a number that the other does within three million.
 */
export const SEEDS = {
  tuning: { people: 9303, spoiling: 20_261_121, videos: 161_803_398 },
  heldOut: { people: 314_159_265, spoiling: 2_718_281_828, videos: 1_414_213_562 },
} as const

export type SetName = keyof typeof SEEDS
export const SETS: Readonly<Record<SetName, string>> = { tuning: 'tuning', heldOut: 'held out' }
