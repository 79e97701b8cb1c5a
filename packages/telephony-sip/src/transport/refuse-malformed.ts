import { randomBytes } from 'node:crypto'
import { buildResponse } from '../message/build.ts'
import type { SipResponse } from '../message/message.ts'
import type { SipParseError } from '../message/sip-parse-error.ts'
import { stampReceived } from '../message/via.ts'
import type { Peer } from './flow.ts'
import { responsePeerOf } from './response-peer.ts'

/** Returns the response to a request that could not be parsed, and where it goes; undefined if too little could be read. */
export function refuseMalformed(
  { refusal }: SipParseError,
  from: Peer,
): { readonly response: SipResponse; readonly peer: Peer } | undefined {
  if (refusal === undefined) return undefined
  const request = { headers: stampReceived(refusal.headers, from) }
  const toTag = randomBytes(8).toString('hex')
  return {
    response: buildResponse(request, { status: refusal.status, toTag }),
    peer: responsePeerOf(request, from),
  }
}
