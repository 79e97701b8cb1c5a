/**
 * Draws a migration of KYC as lists of shapes, for the console and for the worker's report.
 *
 * @packageDocumentation
 */
export { type ChartSize, type Drawing, type Shape, WIDTHS } from './drawing.ts'
export { drawLatencies } from './draw-latencies.ts'
export { drawMismatches } from './draw-mismatches.ts'
export { drawOutcomes } from './draw-outcomes.ts'
export { drawRates } from './draw-rates.ts'
export { drawStages } from './draw-stages.ts'
export { groupMismatches, type MismatchGroup } from './group-mismatches.ts'
export { type DecisionCell, layOutDecisions } from './lay-out-decisions.ts'
export { listPeriods } from './mismatch-periods.ts'
export { listStagePeriods } from './stage-periods.ts'
export { ENDINGS, isAnsweredByV2, STAGES } from './vocabulary.ts'
export type { ChartWords } from './words.ts'
