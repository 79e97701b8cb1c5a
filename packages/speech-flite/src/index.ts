export { createEngine, type FliteOptions } from './create-engine.ts'
export type { Method } from './voices.ts'
