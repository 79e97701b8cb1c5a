import { LIMITS } from '../shared/limits.ts'
import { defineRoute } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import { SYNTHESIS_LIMITS } from './routes.ts'
import {
  ENGINE_SOCKET_ERRORS,
  engineSocketClientMessageSchema,
  engineSocketQuerySchema,
  engineSocketServerMessageSchema,
} from './socket-messages.ts'

const PROTOCOL = 'vaani.v1'
const KEY_PROTOCOL_PREFIX = 'vaani.key.'

const upgrade = defineRoute({
  operation: 'synthesis.socket',
  method: 'GET',
  path: '/v1/engine/stream',
  summary: 'Stream synthesis over a WebSocket',
  description: [
    'Takes text as it is written and returns binary pcm16 frames between JSON marks. `started` is the first message. Text is spoken phrase by phrase: an incomplete phrase waits for more text, `flush` or `end`. An emotion change takes effect at the next phrase.',
    'Each `flush` is answered by one `flushed` once everything before it has been sent, and each `cancel` by one `canceled`, after which nothing from before it is sent. Both are answered in the order of the requests. `end` is the last message of a client and is answered by `ended`. The server closes the connection after `ended` or `error`. Clients ignore message types that they do not know.',
    'A mark precedes the audio in which its phrase or word begins. Audio is sent as fast as the client reads it, not at the pace of its playback, so a client keeps what it has not played and drops it when it cancels.',
    `Browsers cannot set headers on a WebSocket, so a client offers two subprotocols: \`${PROTOCOL}\`, and \`${KEY_PROTOCOL_PREFIX}\` followed by its API key. The server selects \`${PROTOCOL}\`. A client that can set headers may send the key in \`Authorization: Bearer\` instead. Neither header may be logged.`,
    `The upgrade counts as a request of its model, and so does every further text of ${LIMITS.streamInputCharacters} characters. A message has at most ${LIMITS.socketMessageBytes / 1024} KiB, and at most ${LIMITS.socketWaitingUnits} UTF-16 units of text may wait to be spoken. A session ends with \`request_timeout\` ${LIMITS.socketIdleSeconds} s after the last message of the client or the end of the audio, whichever is later, and after ${LIMITS.socketSeconds / 60} minutes.`,
  ].join('\n\n'),
  scope: 'speech:write',
  limit: { by_model: SYNTHESIS_LIMITS },
  concurrency: 'concurrent_streams',
  query: engineSocketQuerySchema,
  success: { 101: noBody },
  successBody: 'none',
  errors: ['voice_not_found'],
})

/** The WebSocket upgrade of `/v1/engine/stream`. */
export const synthesisSocket = {
  operation: 'synthesis.socket',
  path: '/v1/engine/stream',
  /** The GET that requests the upgrade. It is refused as HTTP. */
  upgrade,
  /** Subprotocol that the server selects in `Sec-WebSocket-Protocol`. */
  protocol: PROTOCOL,
  /** Prefix of the other offered subprotocol, before the key, which must be an RFC 9110 token. Never selected. */
  keyProtocolPrefix: KEY_PROTOCOL_PREFIX,
  errors: ENGINE_SOCKET_ERRORS,
  clientMessages: engineSocketClientMessageSchema,
  serverMessages: engineSocketServerMessageSchema,
  /** Contents of the binary messages, which only the server sends. */
  serverBinary: 'Whole 20 ms frames of 16 kHz mono pcm16, at least one per message.',
} as const
