import { readCallbackForm } from '../provider/callback-form.ts'
import { connectStream } from '../provider/connect-stream.ts'
import { readIncomingForm } from '../provider/incoming-form.ts'
import { parseJsonObject, stringOf } from '../provider/json-members.ts'
import { progressOf } from '../provider/progress.ts'
import type { CallToPlace, Creation, Provider, RestRequest, RestResponse } from '../provider/provider.ts'
import type { TwilioAccount } from './account.ts'
import { isCallSid } from './sids.ts'
import { isSigned } from './signature.ts'
import { twilioStream } from './twilio-stream.ts'

const US1 = 'https://api.twilio.com'
/** The first progress events too; without them only the end is reported. */
const EVENTS = ['initiated', 'ringing', 'answered', 'completed'] as const
/** By how much Twilio's limit of a call exceeds ours, which counts frames: it matters only if we are gone. */
const SPARE_SECONDS = 5
/** "Invalid 'To' Phone Number" (https://www.twilio.com/docs/api/errors/21211). */
const INVALID_TO = 21211
/** Wait after a 429 that does not say how long. */
const DEFAULT_RETRY_SECONDS = 1

/**
 * Creates what speaks Twilio's REST API of 2010-04-01, its status callbacks and its Media Streams.
 *
 * @see https://www.twilio.com/docs/voice/api/call-resource
 */
export function createTwilio(account: TwilioAccount): Provider {
  const { accountSid, authToken, apiKey, apiUrl = US1 } = account
  const calls = `${apiUrl}/2010-04-01/Accounts/${accountSid}/Calls`
  const user = apiKey ? `${apiKey.sid}:${apiKey.secret}` : `${accountSid}:${authToken}`
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`

  const get = (url: string): RestRequest => ({ method: 'GET', url, headers: { authorization } })
  const post = (url: string, form: URLSearchParams): RestRequest => ({
    method: 'POST',
    url,
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })

  return {
    createCall: (call) => post(`${calls}.json`, formOf(call)),
    readCreation,
    // `canceled` would spare a call that was answered just now; `completed` ends it in any state.
    hangUp: (callSid) => post(`${calls}/${callSid}.json`, new URLSearchParams({ Status: 'completed' })),
    readHangUp: ({ status }) => status < 300 || status === 404,
    lookUp: (callSid) => get(`${calls}/${callSid}.json`),
    readLookUp({ status, body }) {
      const state = status < 300 ? stringOf(parseJsonObject(body)?.['status']) : undefined
      return state === undefined ? undefined : progressOf(state, undefined)
    },
    // The account itself is hidden from standard API keys, its calls are not.
    probe: () => get(`${calls}.json?Status=queued&PageSize=1`),
    isAuthentic({ url, headerOf, body }) {
      const signature = headerOf('x-twilio-signature') ?? ''
      return isSigned(authToken, { url, signature, parameters: new URLSearchParams(body) })
    },
    readCallback: (body) => readCallbackForm(body, { accountSid, isCallSid }),
    stream: twilioStream,
    incoming: {
      readCall: (body) => readIncomingForm(body, { accountSid, isCallSid }),
      connect: (url, token) => connectStream({ url, token }),
      refuse: (reason) =>
        `<Response><Reject reason="${reason === 'busy' ? 'busy' : 'rejected'}"/></Response>`,
    },
  }
}

/** Both limits are sent, so that a call ends even if this machine does not. */
function formOf(call: CallToPlace): URLSearchParams {
  const form = new URLSearchParams({
    To: call.to,
    From: call.from,
    Twiml: connectStream({ url: call.mediaUrl, token: call.token }),
    Timeout: String(Math.ceil(call.ringTimeoutMs / 1000)),
    TimeLimit: String(Math.ceil(call.maxDurationMs / 1000) + SPARE_SECONDS),
    StatusCallback: call.statusUrl,
    StatusCallbackMethod: 'POST',
  })
  for (const event of EVENTS) form.append('StatusCallbackEvent', event)
  return form
}

/** Creating is not idempotent: unless the response says that nothing was created, a call may exist. */
function readCreation({ status, body, retryAfterSeconds = DEFAULT_RETRY_SECONDS }: RestResponse): Creation {
  if (status === 429) return { type: 'throttled', retryAfterSeconds }
  if (status >= 500) return { type: 'unknown' }
  const answer = parseJsonObject(body)
  if (status >= 300) {
    const isInvalid = answer?.['code'] === INVALID_TO
    return {
      type: 'refused',
      verdict: { outcome: isInvalid ? 'unreachable' : 'carrier_error', endedBy: 'carrier' },
    }
  }
  const callSid = stringOf(answer?.['sid'])
  return callSid !== undefined && isCallSid(callSid) ? { type: 'created', callSid } : { type: 'unknown' }
}
