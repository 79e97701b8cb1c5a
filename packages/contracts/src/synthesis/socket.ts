import {
  ENGINE_SOCKET_ERRORS,
  engineSocketClientMessageSchema,
  engineSocketServerMessageSchema,
} from './socket-messages.ts'

const PROTOCOL = 'vaani.v1'
const KEY_PROTOCOL_PREFIX = 'vaani.key.'

/** The WebSocket upgrade of `/v1/engine/stream`. */
export const synthesisSocket = {
  operation: 'synthesis.socket',
  path: '/v1/engine/stream',
  scope: 'speech:write',
  summary: 'Stream synthesis over a WebSocket',
  description: [
    'Takes text as it is written and returns binary pcm16 frames between JSON marks. `started` is the first message. Text is spoken phrase by phrase: an incomplete phrase waits for more text, `flush` or `end`. An emotion change takes effect at the next phrase.',
    'Each `flush` is answered by one `flushed` once everything before it has been sent, and each `cancel` by one `canceled`, after which nothing from before it is sent. Both are answered in the order of the requests. `end` is the last message of a client and is answered by `ended`. The server closes the connection after `ended` or `error`. Clients ignore message types that they do not know.',
    `Browsers cannot set headers on a WebSocket, so a client offers two subprotocols: \`${PROTOCOL}\`, and \`${KEY_PROTOCOL_PREFIX}\` followed by its API key. The server selects \`${PROTOCOL}\`. A client that can set headers may send the key in \`Authorization: Bearer\` instead. Neither header may be logged.`,
  ].join('\n\n'),
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
