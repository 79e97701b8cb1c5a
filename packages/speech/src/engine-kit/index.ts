/** Parts that adapters of engines share. */
export { type ChunkQueue, createChunkQueue } from './chunk-queue.ts'
export { atRate } from './at-rate.ts'
export { EngineOptionsError } from './engine-options-error.ts'
export { createLeveler, type Leveler } from './leveler.ts'
export { createTaskQueue, type Entry, type TaskQueue } from './task-queue.ts'
export { createTurns, type Turns, type TurnsOptions } from './turns.ts'
export { withEnergy } from './with-energy.ts'
