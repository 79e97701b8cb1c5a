/** What every adapter must keep, as vitest tests: call these from a test file of the adapter's. */
export { type FaceConformanceOptions, runFaceEngineConformance } from './face-engine.ts'
export { type LivenessConformanceOptions, runLivenessEngineConformance } from './liveness-engine.ts'
export { type PageReaderConformanceOptions, runPageReaderConformance } from './page-reader.ts'
export { type VideoProbeConformanceOptions, runVideoProbeConformance } from './video-probe.ts'
export { type CheckConformanceOptions, runCheckConformance } from './check.ts'
