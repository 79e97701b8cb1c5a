export { createTwilioCarrier } from './line/twilio-carrier.ts'
export type { TwilioCarrierOptions } from './line/twilio-carrier.ts'
export type { TwilioLine } from './line/line-options.ts'
export type { TwilioAccount } from './twilio/account.ts'
