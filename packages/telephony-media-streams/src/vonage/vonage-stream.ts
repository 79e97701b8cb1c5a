import { LINEAR_16_KHZ } from '../provider/encodings.ts'
import { type JsonObject, objectOf, parseJsonObject, stringOf } from '../provider/json-members.ts'
import type { StreamMessage, StreamProtocol } from '../provider/provider.ts'
import { StreamMessageError } from '../provider/stream-message-error.ts'

/** Content type of the audio, as instructions ask for it. */
export const CONTENT_TYPE = 'audio/l16;rate=16000'
/** A quarter of a second; Vonage sends 20 ms. */
const LARGEST_PAYLOAD_BYTES = 8000
const LONGEST_NAME = 64

/**
 * Messages of Vonage's WebSocket endpoint: audio is binary, all else JSON. Neither streams nor calls are named.
 *
 * @see https://developer.vonage.com/en/voice/voice-api/concepts/websockets
 */
export const vonageStream: StreamProtocol = {
  encoding: LINEAR_16_KHZ,
  endsByClosing: true,
  readMessage(data) {
    if (typeof data !== 'string') return readMedia(data)
    const message = parseJsonObject(data)
    if (!message) throw new StreamMessageError('not a JSON object')
    switch (message['event']) {
      case 'websocket:connected':
        return readStart(message)
      case 'websocket:dtmf':
        return readKey(message)
      case 'websocket:notify':
        return readMark(message)
      default:
        // `websocket:cleared`, and whatever Vonage may add.
        if (typeof message['event'] !== 'string') throw new StreamMessageError('without an event')
        return { type: 'other' }
    }
  },
  writeMedia: (_streamSid, payload) => payload,
  writeMark: (_streamSid, name) => JSON.stringify({ action: 'notify', payload: { name } }),
  writeClear: () => JSON.stringify({ action: 'clear' }),
}

function readMedia(payload: Uint8Array): StreamMessage {
  if (payload.length > LARGEST_PAYLOAD_BYTES) throw new StreamMessageError('media that is too long')
  return { type: 'media', payload }
}

/** Custom headers of the instructions are members of the first message. */
function readStart(message: JsonObject): StreamMessage {
  if (message['content-type'] !== CONTENT_TYPE) throw new StreamMessageError('another format')
  const token = stringOf(message['token'])
  return { type: 'start', streamSid: '', ...(token !== undefined && { token }) }
}

function readKey(message: JsonObject): StreamMessage {
  const digit = stringOf(message['digit'])
  if (digit === undefined || !/^[0-9*#A-D]$/.test(digit)) throw new StreamMessageError('dtmf without a digit')
  return { type: 'key', digit }
}

function readMark(message: JsonObject): StreamMessage {
  const name = stringOf(objectOf(message['payload'])?.['name'])
  if (name === undefined || name.length > LONGEST_NAME) throw new StreamMessageError('notify without a name')
  return { type: 'mark', name }
}
