import { randomBytes } from 'node:crypto'
import { buildResponse } from '../message/build.ts'
import type { SipResponse } from '../message/message.ts'
import type { SipParseError } from '../message/sip-parse-error.ts'
import { stampReceived } from '../message/via.ts'
import type { Endpoint } from './datagram-socket.ts'

/** Returns the response to a request that could not be parsed; undefined if too little of it could be. */
export const refuseMalformed = ({ refusal }: SipParseError, from: Endpoint): SipResponse | undefined =>
  refusal &&
  buildResponse(
    { headers: stampReceived(refusal.headers, from) },
    { status: refusal.status, toTag: randomBytes(8).toString('hex') },
  )
