export { headerOf, headersOf } from './message/message.ts'
export type { Headers, SipMessage, SipRequest, SipResponse } from './message/message.ts'
