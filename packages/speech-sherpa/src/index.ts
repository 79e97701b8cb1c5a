export { createEngine } from './create-engine.ts'
export type { SherpaEngineOptions, SherpaFiles, SherpaLanguage, SherpaModel } from './options.ts'
