export * from './signals.ts'
export * from './voice-score.ts'
