import { createHmac, randomBytes, randomUUID, sign } from 'node:crypto'
import { PEER_ACCOUNTS } from './accounts.ts'
import type { PeerDialect, PeerStreamDialect, Report, StreamCommand, StreamIds } from './peer-dialect.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const MULAW_SILENCE = Buffer.alloc(160, 0xff)

/** Signs as Twilio documents it; written again here, so that a mistake in ours shows. No name comes twice. */
function signTwilio(url: string, body: URLSearchParams): string {
  const sorted = [...body].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHmac('sha1', PEER_ACCOUNTS.twilio.authToken)
    .update([url, ...sorted.flat()].join(''))
    .digest('base64')
}

/** Messages of ours that matter to the peer, read without any trust in them. */
interface Incoming {
  readonly event?: string
  readonly media?: { readonly payload?: string }
  readonly mark?: { readonly name?: string }
}

function readCommand(data: Buffer): StreamCommand {
  const { event, media, mark }: Incoming = JSON.parse(String(data))
  if (event === 'media') return { type: 'media', payload: Buffer.from(media?.payload ?? '', 'base64') }
  if (event === 'mark') return { type: 'mark', name: mark?.name ?? '' }
  return { type: event === 'clear' ? 'clear' : 'other' }
}

/** Streams like Twilio's, whose messages name them in their own way. */
const streamOf = (options: {
  readonly start: (ids: StreamIds, parameters: Readonly<Record<string, string>>) => object
  readonly address: (ids: StreamIds, number: number) => object
}): PeerStreamDialect => {
  const write = (event: string, ids: StreamIds, number: number, members: object) =>
    JSON.stringify({ event, ...options.address(ids, number), ...members })
  return {
    silence: MULAW_SILENCE,
    opening: (ids, parameters) => [
      JSON.stringify({ event: 'connected', version: '1.0.0' }),
      write('start', ids, 1, options.start(ids, parameters)),
    ],
    media: (ids, number, frame) =>
      write('media', ids, number, {
        media: { track: 'inbound', chunk: String(number), payload: frame.toString('base64') },
      }),
    mark: (ids, number, name) => write('mark', ids, number, { mark: { name } }),
    key: (ids, number, digit) => write('dtmf', ids, number, { dtmf: { track: 'inbound_track', digit } }),
    stop: (ids, number) => write('stop', ids, number, { stop: {} }),
    read: readCommand,
  }
}

const formOf = (accountSid: string, report: Report): URLSearchParams =>
  new URLSearchParams({
    AccountSid: accountSid,
    CallSid: report.callSid,
    CallStatus: report.status,
    CallbackSource: 'call-progress-events',
    Direction: report.direction ?? 'outbound-api',
    From: report.from,
    SequenceNumber: String(report.sequence),
    Timestamp: new Date().toUTCString(),
    To: report.to,
  })

const state: PeerDialect['state'] = ({ sid, status }) => ({ sid, status })
const isHangUp: PeerDialect['isHangUp'] = (method, body) =>
  method === 'POST' && new URLSearchParams(body).get('Status') === 'completed'

const { accountSid, authToken } = PEER_ACCOUNTS.twilio

export const twilio: PeerDialect = {
  isAuthorized: (authorization) =>
    authorization === `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
  path: new RegExp(`^/2010-04-01/Accounts/(${accountSid})/Calls(?:/(\\w+))?\\.json(?:\\?|$)`),
  readCreation: (body) => new URLSearchParams(body),
  created: ({ sid }) => ({ sid, status: 'queued' }),
  isHangUp,
  state,
  createIds: () => ({
    callSid: `CA${randomBytes(16).toString('hex')}`,
    streamSid: `MZ${randomBytes(16).toString('hex')}`,
  }),
  report(url, report) {
    const body = formOf(accountSid, report)
    if (report.sipStatus !== undefined) body.set('SipResponseCode', String(report.sipStatus))
    return { headers: { ...FORM, 'x-twilio-signature': signTwilio(url, body) }, body: body.toString() }
  },
  stream: streamOf({
    start: ({ callSid, streamSid }, customParameters) => ({
      start: {
        accountSid,
        streamSid,
        callSid,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
        customParameters,
      },
    }),
    address: ({ streamSid }, number) => ({ sequenceNumber: String(number), streamSid }),
  }),
}

const account = PEER_ACCOUNTS.telnyx

export const telnyx: PeerDialect = {
  isAuthorized: (authorization) => authorization === `Bearer ${account.apiKey}`,
  path: new RegExp(`^/texml/Accounts/(${account.accountSid})/Calls(?:/([\\w:-]+))?(?:\\?|$)`),
  readCreation(body) {
    const { Texml = '', ...parameters }: Record<string, string | number> = JSON.parse(body)
    const entries = Object.entries({ ...parameters, Twiml: Texml })
    return new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))
  },
  // The reference shows no id.
  created: ({ to }) => ({ to, status: 'queued' }),
  isHangUp,
  state,
  createIds: () => ({ callSid: `v3:${randomBytes(32).toString('base64url')}`, streamSid: randomUUID() }),
  report(_url, report) {
    const body = formOf(account.accountSid, report).toString()
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), account.peerKey).toString('base64')
    const proof = { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature }
    return { headers: { ...FORM, ...proof }, body }
  },
  stream: streamOf({
    start: ({ callSid }, parameters) => ({
      start: {
        user_id: account.accountSid,
        call_control_id: callSid,
        media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
        custom_parameters: parameters,
      },
    }),
    address: ({ streamSid }, number) => ({ sequence_number: String(number), stream_id: streamSid }),
  }),
}
