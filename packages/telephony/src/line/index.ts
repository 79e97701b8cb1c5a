/**
 * Parts for authors of carriers whose calls live in a worker thread, as those of SIP trunks and of media streams do.
 */
export { addGap, createPacingCells } from '../pacing-histogram.ts'
export { createCallAudio } from './call-audio.ts'
export type { CallAudio, CallEndFacts } from './call-audio.ts'
export { createConfirmedAudio } from './confirmed-audio.ts'
export type { BufferingFarEnd, ConfirmedAudio } from './confirmed-audio.ts'
export type { FrameRing } from './frame-ring.ts'
export type { MediaThreadWorker } from './media-thread.ts'
export type { LineCommand, LineReport, WorkerCall, WorkerCallRequest } from './messages.ts'
export { createPacer } from './pacer.ts'
export type { Pacer } from './pacer.ts'
export { createThreadedCarrier } from './threaded-carrier.ts'
export type { ThreadedCarrier, ThreadedCarrierOptions } from './threaded-carrier.ts'
export { NO_RESPONSE, verdictOfBye, verdictOfRefusal } from './verdict.ts'
export type { Verdict } from './verdict.ts'
export { createWavRecorder } from './wav-recorder.ts'
export type { WavRecorder } from './wav-recorder.ts'
