/** Stages of a migration, in their order. */
export const STAGES = [
  'off',
  'shadow-1',
  'shadow-10',
  'shadow-25',
  'shadow-50',
  'shadow-100',
  'live',
  'complete',
] as const
export type Stage = (typeof STAGES)[number]

/** Versions of the submission, as their paths name them. */
export const KYC_VERSIONS = ['v1', 'v2'] as const
export type KycVersion = (typeof KYC_VERSIONS)[number]

export interface StagePlan {
  /** The version that answers the caller. */
  readonly answers: KycVersion
  /** Share of the submissions that the other version gets as well, from 0 to 1. */
  readonly shadowShare: number
}

/** In `live`, v1 becomes the shadow for a while, so that a difference that shows late is still seen. */
export const STAGE_PLANS: Readonly<Record<Stage, StagePlan>> = {
  off: { answers: 'v1', shadowShare: 0 },
  'shadow-1': { answers: 'v1', shadowShare: 0.01 },
  'shadow-10': { answers: 'v1', shadowShare: 0.1 },
  'shadow-25': { answers: 'v1', shadowShare: 0.25 },
  'shadow-50': { answers: 'v1', shadowShare: 0.5 },
  'shadow-100': { answers: 'v1', shadowShare: 1 },
  live: { answers: 'v2', shadowShare: 1 },
  complete: { answers: 'v2', shadowShare: 0 },
}
