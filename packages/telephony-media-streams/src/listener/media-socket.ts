import type { WebSocket } from 'ws'
import type { MediaStream } from '../call/media-stream.ts'
import type { StreamMessage, StreamProtocol } from '../provider/provider.ts'
import { StreamMessageError } from '../provider/stream-message-error.ts'

/** What takes the messages of a media socket. */
export interface StreamReceiver {
  start(stream: MediaStream, callSid: string | undefined): void
  takeMessage(message: StreamMessage): void
  /** `isClean`: the provider closed the socket, and did not just vanish. */
  loseStream(isClean: boolean): void
}

/** How long a socket may take to show its token. */
const START_MS = 5000
/** Messages before it: `connected`, and one that the provider may add. */
const LARGEST_PREFACE = 2

// RFC 6455, section 7.4.1.
const NORMAL = 1000
const GOING_AWAY = 1001
const POLICY_VIOLATION = 1008

/**
 * Reads a media socket. It carries nothing until its first messages have shown the token of a call; it is closed with a reason if they do
 * not, and at any message that the protocol does not allow.
 */
export function readMediaSocket(options: {
  readonly socket: WebSocket
  readonly protocol: Pick<StreamProtocol, 'readMessage'>
  /** Returns the call whose token this is, once. */
  readonly redeem: (token: string) => StreamReceiver | undefined
}): void {
  const { socket, protocol, redeem } = options
  let receiver: StreamReceiver | undefined
  let preface = 0
  let isDone = false

  const finish = (code: number, reason: string) => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    // Waits for the other side's close frame, and then ends the connection, within 30 s.
    socket.close(code, reason)
  }
  const lose = (code: number, reason: string, isClean = false) => {
    if (isDone) return
    finish(code, reason)
    receiver?.loseStream(isClean)
  }
  const timer = setTimeout(() => lose(POLICY_VIOLATION, 'no start in time'), START_MS)

  const begin = (message: StreamMessage) => {
    if (message.type !== 'start') {
      preface += 1
      if (message.type !== 'other' || preface > LARGEST_PREFACE) lose(POLICY_VIOLATION, 'not a start')
      return
    }
    const found = message.token === undefined ? undefined : redeem(message.token)
    if (!found) return lose(POLICY_VIOLATION, 'unknown token')
    clearTimeout(timer)
    receiver = found
    const stream: MediaStream = {
      streamSid: message.streamSid,
      send: (data) => socket.readyState === socket.OPEN && socket.send(data),
      close: (reason) => finish(NORMAL, reason),
    }
    found.start(stream, message.callSid)
  }

  socket.on('message', (data, isBinary) => {
    if (isDone) return
    try {
      if (!Buffer.isBuffer(data)) throw new StreamMessageError('not one message')
      const message = protocol.readMessage(isBinary ? data : data.toString('utf8'))
      if (receiver) receiver.takeMessage(message)
      else begin(message)
    } catch (error) {
      if (!(error instanceof StreamMessageError)) throw error
      lose(POLICY_VIOLATION, error.message)
    }
  })
  // `close` follows each error, such as a message that is too large.
  socket.on('error', () => undefined)
  socket.on('close', (code) => lose(NORMAL, '', code === NORMAL || code === GOING_AWAY))
}
