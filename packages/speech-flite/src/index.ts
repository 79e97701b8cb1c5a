export { createEngine } from './create-engine.ts'
