import { ROW_COUNT, ROW_SECONDS } from './pattern.ts'

/** The detector's frames of 32 ms are so far apart: fine enough that a row of the pattern is found within 4 ms. */
export const STEP_SECONDS = 0.008
export const STEPS_PER_ROW = Math.round(ROW_SECONDS / STEP_SECONDS)
/** Steps of the pattern's period, and so the number of offsets at which it can start. */
export const OFFSET_COUNT = ROW_COUNT * STEPS_PER_ROW
