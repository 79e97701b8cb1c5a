export { createManualClock } from '../src/simulator/manual-clock.ts'
export type { ManualClock } from '../src/simulator/manual-clock.ts'
