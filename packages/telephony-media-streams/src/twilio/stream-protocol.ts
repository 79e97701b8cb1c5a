import { type JsonObject, objectOf, parseJsonObject, stringOf } from '../provider/json-members.ts'
import type { StreamMessage, StreamProtocol } from '../provider/provider.ts'
import { StreamMessageError } from '../provider/stream-message-error.ts'
import { isCallSid, isStreamSid } from './sids.ts'

/** Most characters of base64 in a message: 0.5 s, where Twilio sends 20 ms. */
const LONGEST_PAYLOAD = 5336
const LONGEST_NAME = 64

/**
 * Messages of Twilio Media Streams, bidirectional.
 *
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
export const twilioStream: StreamProtocol = {
  readMessage(text) {
    const message = parseJsonObject(text)
    if (!message) throw new StreamMessageError('not a JSON object')
    switch (message['event']) {
      case 'start':
        return readStart(memberOf(message, 'start'))
      case 'media':
        return readMedia(memberOf(message, 'media'))
      case 'dtmf':
        return readKey(memberOf(message, 'dtmf'))
      case 'mark':
        return readMark(memberOf(message, 'mark'))
      case 'stop':
        return { type: 'stop' }
      default:
        // `connected`, and whatever Twilio may add.
        if (typeof message['event'] !== 'string') throw new StreamMessageError('without an event')
        return { type: 'other' }
    }
  },
  writeMedia: (streamSid, payload) =>
    JSON.stringify({
      event: 'media',
      streamSid,
      media: { payload: Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString('base64') },
    }),
  writeMark: (streamSid, name) => JSON.stringify({ event: 'mark', streamSid, mark: { name } }),
  writeClear: (streamSid) => JSON.stringify({ event: 'clear', streamSid }),
}

function memberOf(message: JsonObject, name: string): JsonObject {
  const member = objectOf(message[name])
  if (!member) throw new StreamMessageError(`${name} without its object`)
  return member
}

function readStart(start: JsonObject): StreamMessage {
  const streamSid = stringOf(start['streamSid'])
  const callSid = stringOf(start['callSid'])
  if (streamSid === undefined || !isStreamSid(streamSid))
    throw new StreamMessageError('start without its stream')
  if (callSid === undefined || !isCallSid(callSid)) throw new StreamMessageError('start without its call')
  const format = objectOf(start['mediaFormat']) ?? {}
  if (format['encoding'] !== 'audio/x-mulaw' || format['sampleRate'] !== 8000 || format['channels'] !== 1)
    throw new StreamMessageError('a format that is not μ-law at 8 kHz')
  const token = stringOf(objectOf(start['customParameters'])?.['token'])
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
