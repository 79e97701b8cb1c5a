import { readCallbackForm } from '../provider/callback-form.ts'
import { connectStream } from '../provider/connect-stream.ts'
import { readIncomingForm } from '../provider/incoming-form.ts'
import { parseJsonObject, stringOf } from '../provider/json-members.ts'
import { progressOf } from '../provider/progress.ts'
import type { CallToPlace, Creation, Provider, RestRequest, RestResponse } from '../provider/provider.ts'
import type { TelnyxAccount } from './account.ts'
import { isCallId } from './ids.ts'
import { isSigned, readPublicKey } from './signature.ts'
import { telnyxStream } from './telnyx-stream.ts'

const DEFAULT_API = 'https://api.telnyx.com/v2'
const STREAM = {
  track: 'inbound_track',
  codec: 'PCMU',
  bidirectionalMode: 'rtp',
  bidirectionalCodec: 'PCMU',
}
const EVENTS = 'initiated ringing answered completed'
/** Limits of the limits that Telnyx takes, in seconds. */
const RINGING = { least: 5, most: 120 }
const DURATION = { least: 30, most: 14_400 }
/** By how much Telnyx's limit of a call exceeds ours, which counts frames: it matters only if we are gone. */
const SPARE_SECONDS = 5
/** Wait after a 429 that does not say how long. */
const DEFAULT_RETRY_SECONDS = 1

/**
 * Creates what speaks Telnyx's TeXML API, which follows Twilio's, its status callbacks and its media streaming.
 *
 * @throws TypeError if the public key is none
 * @see https://developers.telnyx.com/api-reference/texml-rest-commands/initiate-an-outbound-call
 */
export function createTelnyx(account: TelnyxAccount, epochMs: () => number): Provider {
  const { accountSid, applicationSid, apiUrl = DEFAULT_API } = account
  const publicKey = readPublicKey(account.publicKey)
  const calls = `${apiUrl}/texml/Accounts/${accountSid}/Calls`
  const authorization = `Bearer ${account.apiKey}`

  const get = (url: string): RestRequest => ({ method: 'GET', url, headers: { authorization } })
  const post = (url: string, contentType: string, body: string): RestRequest => ({
    method: 'POST',
    url,
    headers: { authorization, 'content-type': contentType },
    body,
  })

  return {
    createCall: (call) =>
      post(
        calls,
        'application/json',
        JSON.stringify({ ApplicationSid: applicationSid, ...parametersOf(call) }),
      ),
    readCreation,
    hangUp: (callSid) => post(`${calls}/${callSid}`, 'application/x-www-form-urlencoded', 'Status=completed'),
    readHangUp: ({ status }) => status < 300 || status === 404,
    lookUp: (callSid) => get(`${calls}/${callSid}`),
    readLookUp({ status, body }) {
      const state = status < 300 ? stringOf(parseJsonObject(body)?.['status']) : undefined
      return state === undefined ? undefined : progressOf(state, undefined)
    },
    probe: () => get(`${calls}?PageSize=1`),
    isAuthentic({ headerOf, body }) {
      const timestamp = headerOf('telnyx-timestamp') ?? ''
      const signature = headerOf('telnyx-signature-ed25519') ?? ''
      return isSigned(publicKey, { timestamp, signature, body, epochMs: epochMs() })
    },
    readCallback: (body) => readCallbackForm(body, { accountSid, isCallSid: isCallId }),
    stream: telnyxStream,
    incoming: {
      readCall: (body) => readIncomingForm(body, { accountSid, isCallSid: isCallId }),
      connect: (url, token) => connectStream({ url, token, attributes: STREAM }),
      // Telnyx has answered before it asks, so that a call can only be ended.
      refuse: () => '<Response><Hangup/></Response>',
    },
  }
}

const clamp = (seconds: number, { least, most }: { readonly least: number; readonly most: number }): number =>
  Math.min(Math.max(Math.ceil(seconds), least), most)

/** Both limits are sent, so that a call ends even if this machine does not. */
const parametersOf = (call: CallToPlace) => ({
  To: call.to,
  From: call.from,
  Texml: connectStream({
    url: call.mediaUrl,
    token: call.token,
    attributes: STREAM,
  }),
  Timeout: clamp(call.ringTimeoutMs / 1000, RINGING),
  TimeLimit: clamp(call.maxDurationMs / 1000 + SPARE_SECONDS, DURATION),
  StatusCallback: call.statusUrl,
  StatusCallbackMethod: 'POST',
  StatusCallbackEvent: EVENTS,
})

/**
 * Creating is not idempotent: unless the response says that nothing was created, a call may exist. The reference promises no id in the
 * response, so that the first report may have to name it.
 */
function readCreation({ status, body, retryAfterSeconds = DEFAULT_RETRY_SECONDS }: RestResponse): Creation {
  if (status === 429) return { type: 'throttled', retryAfterSeconds }
  if (status >= 500) return { type: 'unknown' }
  if (status >= 300) return { type: 'refused', verdict: { outcome: 'carrier_error', endedBy: 'carrier' } }
  const callSid = stringOf(parseJsonObject(body)?.['sid'])
  return callSid !== undefined && isCallId(callSid) ? { type: 'created', callSid } : { type: 'unknown' }
}
