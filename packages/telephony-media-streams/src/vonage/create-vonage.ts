import { createPrivateKey, randomUUID } from 'node:crypto'
import { parseJsonObject, stringOf } from '../provider/json-members.ts'
import type {
  Callback,
  CallToPlace,
  Creation,
  Provider,
  RestRequest,
  RestResponse,
} from '../provider/provider.ts'
import type { VonageAccount } from './account.ts'
import { isCallId } from './ids.ts'
import { createToken, isSigned } from './json-web-token.ts'
import { progressOf, rankOf } from './progress.ts'
import { CONTENT_TYPE, vonageStream } from './vonage-stream.ts'

const DEFAULT_API = 'https://api.nexmo.com'
/** Limits of the limits that Vonage takes, in seconds. */
const RINGING = { least: 1, most: 120 }
const DURATION = { least: 1, most: 86_400 }
/** By how much Vonage's limit of a call exceeds ours, which counts frames: it matters only if we are gone. */
const SPARE_SECONDS = 5
/** Wait after a 429 that does not say how long. */
const DEFAULT_RETRY_SECONDS = 1
/** Ranks of one millisecond. */
const RANKS = 4

/**
 * Creates what speaks Vonage's Voice API, version 1, its signed webhooks and its WebSocket endpoint.
 *
 * @throws the error of node:crypto if the private key is none
 * @see https://developer.vonage.com/en/api/voice
 */
export function createVonage(account: VonageAccount, epochMs: () => number): Provider {
  const { applicationId, signatureSecret, apiUrl = DEFAULT_API } = account
  const privateKey = createPrivateKey(account.privateKey)
  const calls = `${apiUrl}/v1/calls`

  const ask = (method: RestRequest['method'], url: string, body?: object): RestRequest => {
    const token = createToken({ applicationId, privateKey, id: randomUUID(), epochMs: epochMs() })
    return {
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }
  }

  return {
    createCall: (call) => ask('POST', calls, parametersOf(call)),
    readCreation,
    hangUp: (callSid) => ask('PUT', `${calls}/${callSid}`, { action: 'hangup' }),
    readHangUp: ({ status }) => status < 300 || status === 404,
    lookUp: (callSid) => ask('GET', `${calls}/${callSid}`),
    readLookUp({ status, body }) {
      const state = status < 300 ? stringOf(parseJsonObject(body)?.['status']) : undefined
      return state === undefined ? undefined : progressOf(state)
    },
    probe: () => ask('GET', `${calls}?page_size=1`),
    isAuthentic({ headerOf, body }) {
      const token = /^Bearer (\S+)$/.exec(headerOf('authorization') ?? '')?.[1]
      return token !== undefined && isSigned(signatureSecret, { token, body, epochMs: epochMs() })
    },
    readCallback,
    stream: vonageStream,
  }
}

const clamp = (seconds: number, { least, most }: { readonly least: number; readonly most: number }): number =>
  Math.min(Math.max(Math.ceil(seconds), least), most)

/** Numbers are written without their plus. */
const phone = (number: string) => ({ type: 'phone', number: number.replace(/^\+/, '') })

/** Both limits are sent, so that a call ends even if this machine does not. It ends with the socket too, because no action follows. */
const parametersOf = (call: CallToPlace) => ({
  to: [phone(call.to)],
  from: phone(call.from),
  ncco: [
    {
      action: 'connect',
      endpoint: [
        {
          type: 'websocket',
          uri: call.mediaUrl,
          'content-type': CONTENT_TYPE,
          headers: { token: call.token },
        },
      ],
    },
  ],
  event_url: [call.statusUrl],
  event_method: 'POST',
  ringing_timer: clamp(call.ringTimeoutMs / 1000, RINGING),
  length_timer: clamp(call.maxDurationMs / 1000 + SPARE_SECONDS, DURATION),
})

/** Creating is not idempotent: unless the response says that nothing was created, a call may exist. */
function readCreation({ status, body, retryAfterSeconds = DEFAULT_RETRY_SECONDS }: RestResponse): Creation {
  if (status === 429) return { type: 'throttled', retryAfterSeconds }
  if (status >= 500) return { type: 'unknown' }
  if (status >= 300) return { type: 'refused', verdict: { outcome: 'carrier_error', endedBy: 'carrier' } }
  const callSid = stringOf(parseJsonObject(body)?.['uuid'])
  return callSid !== undefined && isCallId(callSid) ? { type: 'created', callSid } : { type: 'unknown' }
}

/** Events of the phone come to the same URL as those of the socket, which is a leg of its own and has no number. */
function readCallback(body: string): Callback | undefined {
  const event = parseJsonObject(body)
  const callSid = stringOf(event?.['uuid']) ?? ''
  const progress = progressOf(stringOf(event?.['status']) ?? '')
  const atMs = Date.parse(stringOf(event?.['timestamp']) ?? '')
  const isOfPhone = /^\+?\d+$/.test(stringOf(event?.['to']) ?? '')
  if (!progress || !isOfPhone || !isCallId(callSid) || !(atMs >= 0)) return undefined
  return { callSid, sequence: atMs * RANKS + rankOf(progress), progress }
}
