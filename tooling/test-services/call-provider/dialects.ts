import { createHmac, generateKeyPairSync, type JsonWebKey, randomBytes, randomUUID, sign } from 'node:crypto'

/** Providers that the peer can be. */
export type PeerProvider = 'twilio' | 'telnyx'

/** The accounts at the peer, as the settings of carriers name their values. */
export const PEER_ACCOUNTS = {
  twilio: { accountSid: `AC${'0123456789abcdef'.repeat(2)}`, authToken: 'token of the local peer' },
  telnyx: {
    accountSid: '61bf923e-5e4d-4595-a110-56190ea18a1b',
    applicationSid: '1293384261075731499',
    apiKey: 'key of the local peer',
    ...createKeys(),
  },
} as const

function createKeys(): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' }: JsonWebKey = publicKey.export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}

/** Ids of a media stream. */
export interface StreamIds {
  readonly callSid: string
  readonly streamSid: string
}

/** What differs between the providers, by their public documents. */
export interface PeerDialect {
  readonly accountSid: string
  readonly authorization: string
  /** Matches paths of the REST API: the account, and the call if there is one. */
  readonly path: RegExp
  /** Reads the request to place a call, by Twilio's names. */
  readonly readCreation: (body: string) => URLSearchParams
  /** The response to it. */
  readonly created: (call: { readonly sid: string; readonly to: string }) => object
  readonly createIds: () => StreamIds
  /** Whether reports have the SIP status that ended a call. */
  readonly hasSipStatus: boolean
  /** Headers that prove where a report comes from. */
  readonly sign: (url: string, body: URLSearchParams) => Readonly<Record<string, string>>
  /** The `start` message, without its event. */
  readonly start: (ids: StreamIds, parameters: Readonly<Record<string, string>>) => object
  /** Members of every later message. */
  readonly address: (ids: StreamIds, sequence: number) => object
}

/** Signs as Twilio documents it; written again here, so that a mistake in ours shows. No name comes twice. */
function signTwilio(url: string, body: URLSearchParams): string {
  const sorted = [...body].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHmac('sha1', PEER_ACCOUNTS.twilio.authToken)
    .update([url, ...sorted.flat()].join(''))
    .digest('base64')
}

const twilio: PeerDialect = {
  accountSid: PEER_ACCOUNTS.twilio.accountSid,
  authorization: `Basic ${Buffer.from(
    `${PEER_ACCOUNTS.twilio.accountSid}:${PEER_ACCOUNTS.twilio.authToken}`,
  ).toString('base64')}`,
  path: /^\/2010-04-01\/Accounts\/(\w+)\/Calls(?:\/(\w+))?\.json(?:\?|$)/,
  readCreation: (body) => new URLSearchParams(body),
  created: ({ sid }) => ({ sid, status: 'queued' }),
  createIds: () => ({
    callSid: `CA${randomBytes(16).toString('hex')}`,
    streamSid: `MZ${randomBytes(16).toString('hex')}`,
  }),
  hasSipStatus: true,
  sign: (url, body) => ({ 'x-twilio-signature': signTwilio(url, body) }),
  start: ({ callSid, streamSid }, customParameters) => ({
    sequenceNumber: '1',
    streamSid,
    start: {
      accountSid: PEER_ACCOUNTS.twilio.accountSid,
      streamSid,
      callSid,
      tracks: ['inbound'],
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      customParameters,
    },
  }),
  address: ({ streamSid }, sequence) => ({ sequenceNumber: String(sequence), streamSid }),
}

const telnyx: PeerDialect = {
  accountSid: PEER_ACCOUNTS.telnyx.accountSid,
  authorization: `Bearer ${PEER_ACCOUNTS.telnyx.apiKey}`,
  path: /^\/texml\/Accounts\/([\w-]+)\/Calls(?:\/([\w:-]+))?(?:\?|$)/,
  readCreation(body) {
    const { Texml = '', ...parameters }: Record<string, string | number> = JSON.parse(body)
    const entries = Object.entries({ ...parameters, Twiml: Texml })
    return new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))
  },
  // The reference shows no id.
  created: ({ to }) => ({ from: '+9779800000001', to, status: 'queued' }),
  createIds: () => ({ callSid: `v3:${randomBytes(32).toString('base64url')}`, streamSid: randomUUID() }),
  hasSipStatus: false,
  sign(_url, body) {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), PEER_ACCOUNTS.telnyx.privateKey)
    return {
      'telnyx-timestamp': timestamp,
      'telnyx-signature-ed25519': signature.toString('base64'),
    }
  },
  start: ({ callSid, streamSid }, parameters) => ({
    sequence_number: '1',
    stream_id: streamSid,
    start: {
      user_id: PEER_ACCOUNTS.telnyx.accountSid,
      call_control_id: callSid,
      media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
      custom_parameters: parameters,
    },
  }),
  address: ({ streamSid }, sequence) => ({ sequence_number: String(sequence), stream_id: streamSid }),
}

export const DIALECTS: Readonly<Record<PeerProvider, PeerDialect>> = { twilio, telnyx }
