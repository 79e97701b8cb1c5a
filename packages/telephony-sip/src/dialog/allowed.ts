import type { Headers } from '../message/message.ts'

/** Methods and extensions that we take in a call. */
export const ALLOWED: Headers = [
  ['allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO, PRACK'],
  ['supported', '100rel, timer'],
]
