export { loadSilero } from './load-silero.ts'
export type { SileroDetector, SileroModel, SileroOptions } from './types.ts'
