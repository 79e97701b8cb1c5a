import type { IncomingMessage } from 'node:http'
import type { IdMaker } from '../../ids.ts'

export const REQUEST_ID_HEADER = 'x-request-id'
/** No API key, because logs keep request ids. */
const SAFE_TOKEN = /^(?!sk_(?:test|live)_)[A-Za-z0-9._-]{8,128}$/

/** Returns the caller's own request id if it is a safe token, otherwise a new one. */
export function chooseRequestId(message: Pick<IncomingMessage, 'headers'>, makeId: IdMaker): string {
  const given = message.headers[REQUEST_ID_HEADER]
  return typeof given === 'string' && SAFE_TOKEN.test(given) ? given : makeId('request')
}
