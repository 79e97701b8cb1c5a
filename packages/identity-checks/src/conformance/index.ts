/** The guarantees of every adapter, as vitest tests. Call these from a test file of the adapter's package. */
export { type FaceConformanceOptions, runFaceEngineConformance } from './face-engine.ts'
export { type LivenessConformanceOptions, runLivenessEngineConformance } from './liveness-engine.ts'
export { type PageReaderConformanceOptions, runPageReaderConformance } from './page-reader.ts'
export { type VideoProbeConformanceOptions, runVideoProbeConformance } from './video-probe.ts'
export { type CheckConformanceOptions, runCheckConformance } from './check.ts'
