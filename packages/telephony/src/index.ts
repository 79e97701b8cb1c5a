export { CALL_OUTCOMES, EVENT_LIMIT, FRAME_DURATION_MS } from './carrier.ts'
export type {
  AnswerRequest,
  CallEnded,
  CallEndedBy,
  CallOutcome,
  CallRecording,
  Carrier,
  CarrierCall,
  CarrierDownReason,
  CarrierEvent,
  CarrierHealth,
  DialRequest,
  IncomingCall,
  IncomingRefusal,
  MediaQuality,
  Pacing,
  PlayedStretch,
} from './carrier.ts'
export { CarrierError } from './carrier-error.ts'
export type { CarrierErrorCode } from './carrier-error.ts'
export { checkDialRequest } from './check-dial-request.ts'
export { createEventStream } from './event-stream.ts'
export type { EventStream } from './event-stream.ts'
