export {
  type Breaker,
  type Breakers,
  type BreakersOptions,
  createBreakers,
  type RestRules,
} from './breakers.ts'
export { createFairQueue, type FairQueue } from './fair-queue.ts'
export { createTurns, type TurnRequest, type Turns, type TurnsOptions } from './turns.ts'
export { TurnsError, type TurnsErrorCode } from './turns-error.ts'
