import { type JsonObject, objectOf, parseJsonObject, stringOf } from './json-members.ts'
import type { StreamMessage, StreamProtocol } from './provider.ts'
import { MULAW } from './encodings.ts'
import { StreamMessageError } from './stream-message-error.ts'

/** Most characters of base64 in a message: 0.5 s, though providers send 20 ms. */
const LONGEST_PAYLOAD = 5336
const LONGEST_NAME = 64

/** What a `start` message says, before anything of it is checked. */
export interface StreamStart {
  readonly streamSid: unknown
  readonly callSid: unknown
  readonly encoding: unknown
  readonly sampleRate: unknown
  readonly channels: unknown
  readonly token: unknown
}

/** What differs between the media streams of providers, which are all like those of Twilio. */
export interface StreamDialect {
  /** Finds what a `start` message says. `start` is its member of that name. */
  readonly findStart: (message: JsonObject, start: JsonObject) => StreamStart
  readonly isStreamSid: (value: string) => boolean
  readonly isCallSid: (value: string) => boolean
  /** Names of G.711 μ-law. */
  readonly encodings: readonly string[]
  /** Members that every message to the provider has. */
  readonly address: (streamSid: string) => Readonly<Record<string, string>>
}

/** Creates what reads and writes the messages of a provider's media streams. */
export const createStreamProtocol = (dialect: StreamDialect): StreamProtocol => ({
  encoding: MULAW,
  endsByClosing: false,
  readMessage(data) {
    if (typeof data !== 'string') throw new StreamMessageError('not text')
    const message = parseJsonObject(data)
    if (!message) throw new StreamMessageError('not a JSON object')
    switch (message['event']) {
      case 'start':
        return readStart(dialect, dialect.findStart(message, memberOf(message, 'start')))
      case 'media':
        return readMedia(memberOf(message, 'media'))
      case 'dtmf':
        return readKey(memberOf(message, 'dtmf'))
      case 'mark':
        return readMark(memberOf(message, 'mark'))
      case 'stop':
        return { type: 'stop' }
      default:
        // `connected`, and whatever a provider may add.
        if (typeof message['event'] !== 'string') throw new StreamMessageError('without an event')
        return { type: 'other' }
    }
  },
  writeMedia: (streamSid, payload) =>
    JSON.stringify({
      event: 'media',
      ...dialect.address(streamSid),
      media: { payload: Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString('base64') },
    }),
  writeMark: (streamSid, name) =>
    JSON.stringify({ event: 'mark', ...dialect.address(streamSid), mark: { name } }),
  writeClear: (streamSid) => JSON.stringify({ event: 'clear', ...dialect.address(streamSid) }),
})

function memberOf(message: JsonObject, name: string): JsonObject {
  const member = objectOf(message[name])
  if (!member) throw new StreamMessageError(`${name} without its object`)
  return member
}

function readStart({ isStreamSid, isCallSid, encodings }: StreamDialect, start: StreamStart): StreamMessage {
  const streamSid = stringOf(start.streamSid)
  const callSid = stringOf(start.callSid)
  if (streamSid === undefined || !isStreamSid(streamSid))
    throw new StreamMessageError('start without its stream')
  if (callSid === undefined || !isCallSid(callSid)) throw new StreamMessageError('start without its call')
  const isMulaw = encodings.includes(stringOf(start.encoding) ?? '')
  if (!isMulaw || start.sampleRate !== 8000 || start.channels !== 1)
    throw new StreamMessageError('a format that is not μ-law at 8 kHz')
  const token = stringOf(start.token)
  return { type: 'start', streamSid, callSid, ...(token !== undefined && { token }) }
}

function readMedia(media: JsonObject): StreamMessage {
  // A stream of <Connect> has the inbound track alone.
  if (media['track'] !== 'inbound') throw new StreamMessageError('media of a wrong track')
  const payload = stringOf(media['payload'])
  if (payload === undefined || payload.length > LONGEST_PAYLOAD || !isBase64(payload))
    throw new StreamMessageError('media without a payload in base64')
  return { type: 'media', payload: Buffer.from(payload, 'base64') }
}

const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

function readKey(dtmf: JsonObject): StreamMessage {
  const digit = stringOf(dtmf['digit'])
  if (digit === undefined || !/^[0-9*#A-D]$/.test(digit)) throw new StreamMessageError('dtmf without a digit')
  return { type: 'key', digit }
}

function readMark(mark: JsonObject): StreamMessage {
  const name = stringOf(mark['name'])
  if (name === undefined || name.length > LONGEST_NAME) throw new StreamMessageError('mark without a name')
  return { type: 'mark', name }
}
