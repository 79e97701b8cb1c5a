import { createHash, createHmac, randomUUID, verify } from 'node:crypto'
import { PEER_ACCOUNTS } from './accounts.ts'
import type { PeerDialect, PeerStreamDialect } from './peer-dialect.ts'

const { applicationId, signatureSecret, peerKey } = PEER_ACCOUNTS.vonage

/** Vonage's names of Twilio's statuses. */
const STATUSES: Readonly<Record<string, string>> = {
  queued: 'started',
  initiated: 'started',
  'in-progress': 'answered',
  'no-answer': 'unanswered',
  canceled: 'cancelled',
}
const DECLINED = 603
const statusOf = (status: string): string => STATUSES[status] ?? status

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function signWebhook(body: string): string {
  const claims = {
    iss: 'Vonage',
    iat: Math.floor(Date.now() / 1000),
    jti: randomUUID(),
    application_id: applicationId,
    payload_hash: createHash('sha256').update(body).digest('hex'),
  }
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${unsigned}.${createHmac('sha256', signatureSecret).update(unsigned).digest('base64url')}`
}

function isAuthorized(authorization: string): boolean {
  const [header = '', claims = '', signature = ''] = authorization.replace('Bearer ', '').split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    peerKey,
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return false
  const { application_id: id, exp }: { application_id?: string; exp?: number } = JSON.parse(
    Buffer.from(claims, 'base64url').toString('utf8'),
  )
  return id === applicationId && exp !== undefined && exp * 1000 > Date.now()
}

/** The request to place a call. */
interface Creation {
  readonly to: readonly { readonly number: string }[]
  readonly from: { readonly number: string }
  readonly ncco: readonly {
    readonly endpoint: readonly { readonly uri: string; readonly headers: { readonly token: string } }[]
  }[]
  readonly event_url: readonly string[]
  readonly ringing_timer: number
  readonly length_timer: number
}

/** Messages of ours that are text, read without any trust in them. */
interface Incoming {
  readonly action?: string
  readonly payload?: { readonly name?: string }
}

const stream: PeerStreamDialect = {
  silence: Buffer.alloc(640),
  opening: (_ids, parameters) => [
    JSON.stringify({
      event: 'websocket:connected',
      'content-type': 'audio/l16;rate=16000',
      ...parameters,
    }),
  ],
  media: (_ids, _number, frame) => frame,
  mark: (_ids, _number, name) => JSON.stringify({ event: 'websocket:notify', payload: { name } }),
  key: (_ids, _number, digit) => JSON.stringify({ event: 'websocket:dtmf', digit, duration: 260 }),
  read(data, isBinary) {
    if (isBinary) return { type: 'media', payload: data }
    const { action, payload }: Incoming = JSON.parse(String(data))
    if (action === 'notify') return { type: 'mark', name: payload?.name ?? '' }
    return { type: action === 'clear' ? 'clear' : 'other' }
  },
}

export const vonage: PeerDialect = {
  isAuthorized,
  path: /^\/v1\/(calls)(?:\/([\w-]+))?(?:\?|$)/,
  readCreation(body) {
    const { to, from, ncco, event_url: eventUrl, ...limits }: Creation = JSON.parse(body)
    const endpoint = ncco[0]?.endpoint[0]
    // As instructions of Twilio, which the peer carries out.
    const twiml = `<Connect><Stream url="${endpoint?.uri}"><Parameter name="token" value="${endpoint?.headers.token}"/>`
    return new URLSearchParams({
      To: `+${to[0]?.number}`,
      From: `+${from.number}`,
      Twiml: twiml,
      StatusCallback: eventUrl[0] ?? '',
      Timeout: String(limits.ringing_timer),
      TimeLimit: String(limits.length_timer),
    })
  },
  created: ({ sid }) => ({
    uuid: sid,
    status: 'started',
    direction: 'outbound',
    conversation_uuid: `CON-${randomUUID()}`,
  }),
  isHangUp: (method, body) => method === 'PUT' && body === '{"action":"hangup"}',
  state: ({ sid, status }) => ({ uuid: sid, status: statusOf(status) }),
  createIds: () => ({ callSid: randomUUID(), streamSid: '' }),
  report(_url, { callSid, status, sipStatus, from, to }) {
    const body = JSON.stringify({
      uuid: callSid,
      conversation_uuid: `CON-${randomUUID()}`,
      status: sipStatus === DECLINED ? 'rejected' : statusOf(status),
      direction: 'outbound',
      from: from.replace('+', ''),
      to: to.replace('+', ''),
      timestamp: new Date().toISOString(),
    })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${signWebhook(body)}` }
    return { headers, body }
  },
  stream,
}
