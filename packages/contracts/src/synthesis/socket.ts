import {
  ENGINE_SOCKET_ERRORS,
  engineSocketClientMessageSchema,
  engineSocketServerMessageSchema,
} from './socket-messages.ts'

const PROTOCOL = 'vaani.v1'
const KEY_PROTOCOL_PREFIX = 'vaani.key.'

/** The upgrade of `/v1/engine/stream`. */
export const synthesisSocket = {
  operation: 'synthesis.socket',
  path: '/v1/engine/stream',
  scope: 'speech:write',
  summary: 'Stream synthesis over a WebSocket',
  description: [
    'Takes text as it is written and answers with binary pcm16 frames between JSON marks. `started` comes first. Text is spoken by phrases: what is left of one waits for more text, `flush` or `end`. An emotion change takes effect at the next phrase.',
    'Each `flush` is answered by one `flushed` when all before it has been sent, and each `cancel` by one `canceled`, after which nothing of before it comes; in the order in which they were asked. `end` is the last message of a client, and is answered by `ended`. `ended` and `error` are the last of the server, which then closes. A client skips types that it does not know.',
    `A client offers two subprotocols, \`${PROTOCOL}\` and \`${KEY_PROTOCOL_PREFIX}\` with its API key after it, as browsers can set no header; the server answers with \`${PROTOCOL}\` alone. Where headers can be set, \`Authorization: Bearer\` may carry the key instead. Neither header may be logged.`,
  ].join('\n\n'),
  /** What the server answers as `Sec-WebSocket-Protocol`. */
  protocol: PROTOCOL,
  /** Offered beside it with the key, which must be a token of RFC 9110; never answered. */
  keyProtocolPrefix: KEY_PROTOCOL_PREFIX,
  errors: ENGINE_SOCKET_ERRORS,
  clientMessages: engineSocketClientMessageSchema,
  serverMessages: engineSocketServerMessageSchema,
  /** What its binary messages hold, which come from the server alone. */
  serverBinary: 'Whole 20 ms frames of 16 kHz mono pcm16, at least one a message.',
} as const
