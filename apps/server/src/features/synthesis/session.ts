import {
  codePointCount,
  ENGINE_SOCKET_ERRORS,
  engineSocketClientMessageSchema,
  type EngineSocketClientMessage,
  type EngineSocketError,
  type EngineSocketServerMessage,
  ERRORS,
  LIMITS,
  type StreamDescriptor,
} from '@vaani/contracts'
import { pcm16Bytes } from '@vaani/pcm-audio'
import type { Clock } from '@vaani/service-kit/clock'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { WebSocket } from '@vaani/service-kit/http/sockets'
import { toValidationError } from '@vaani/service-kit/http/errors/validation-error'
import type { LiveSpeech, LiveSpeechEvent } from '@vaani/speech'
import { judgeSession } from './rules/judge-session.ts'

/** Two seconds of audio. With more unsent, nothing further is taken from the speech, which then frees its engine. */
const UNSENT_BYTES = 64 * 1024
/** A receiver that takes none of its unsent audio for this long is dropped. */
const STUCK_MS = 30_000
const CHECK_MS = 1000
const PING_MS = 20_000
/** Messages of a caller in a second, beyond which they are read in the next one. */
const MESSAGES_PER_SECOND = 500
/** Answers that a caller may have due. Each takes a few bytes of memory. */
const MAX_DUE = 1000

/** Close codes of RFC 6455 and of IANA's registry. */
const CLOSE = { normal: 1000, policy: 1008, internal: 1011, restart: 1012 } as const

/** Why a session ended. */
export const SESSION_ENDS = [
  'ended',
  'hung_up',
  'failed',
  'idle',
  'limit',
  'gone',
  'stuck',
  'stopping',
] as const
export type SessionEnd = (typeof SESSION_ENDS)[number]

export interface SessionOptions {
  socket: WebSocket
  speech: LiveSpeech
  descriptor: StreamDescriptor
  clock: Clock
  /** Counts a further text of the size that the upgrade includes. Throws if the account's rate does not allow it. */
  charge: () => Promise<void>
  /** Converts an error of the engine or of `charge`. */
  explain: (error: unknown) => ApiError
  /** Aborts when the server begins to stop. */
  stopping: AbortSignal
  /** Called with the delay of audio that the listener waited for. */
  onFirstByte: (delayMs: number) => void
  /** Called once. `error` is set if the session ended with one. */
  onEnd: (end: SessionEnd, error?: ApiError) => void
}

/** Lets live speech take place over an accepted WebSocket, until it is closed. */
export function runSession(options: SessionOptions): void {
  const { socket, speech, clock, charge, explain, stopping } = options
  const openedAtMs = clock.nowMs()
  let heardAtMs = openedAtMs
  let aliveAtMs = openedAtMs
  let pingedAtMs = openedAtMs
  /** When all audio sent so far could have been played. */
  let playedAtMs = openedAtMs
  /** When the audio that the listener waits for was begun. */
  let awaitedSinceMs: number | undefined
  let characters = 0
  /** Answers to `flush`, `cancel` and `end` that are not sent. */
  let due = 0
  let hasEnd = false
  let end: SessionEnd | undefined
  let lastSent: Promise<void> = Promise.resolve()
  const second = { startedAtMs: openedAtMs, messages: 0 }

  function finish(as: SessionEnd, error?: ApiError): void {
    if (end !== undefined) return
    end = as
    clearInterval(checks)
    stopping.removeEventListener('abort', onStop)
    speech.close()
    // Otherwise the closing frame of the caller would not be read.
    socket.resume()
    options.onEnd(as, error)
  }

  function send(data: string | Uint8Array): void {
    lastSent = new Promise((resolve) =>
      socket.send(data, () => {
        aliveAtMs = clock.nowMs()
        resolve()
      }),
    )
  }
  const say = (message: EngineSocketServerMessage): void => send(JSON.stringify(message))

  function fail(error: ApiError, as: SessionEnd = 'failed'): void {
    if (end !== undefined) return
    const code = toSocketCode(error)
    const { retryable } = ERRORS[code]
    const message = code === error.code ? error.message : 'The service failed; report the request id'
    say({ type: 'error', code, message, retryable })
    finish(as, error)
    socket.close(closeCode(code))
  }

  function receive(data: Buffer, isBinary: boolean): void {
    heardAtMs = aliveAtMs = clock.nowMs()
    if (end !== undefined) return
    throttle()
    try {
      hear(readMessage(data, isBinary))
    } catch (error) {
      fail(explain(error))
    }
  }

  function hear(message: EngineSocketClientMessage): void {
    if (hasEnd) throw new ApiError('invalid_request', 'A message followed `end`')
    hasEnd = message.type === 'end'
    if (message.type === 'speak') admit(message.text)
    else if (message.type !== 'emotion' && ++due > MAX_DUE)
      throw new ApiError('rate_limit_exceeded', `At most ${MAX_DUE} messages may wait for their answers`)
    speech.hear(toLiveMessage(message))
  }

  /** Checks that a text may wait, and counts it. */
  function admit(text: string): void {
    if (speech.waitingUnits() + text.length > LIMITS.socketWaitingUnits)
      throw new ApiError(
        'text_too_long',
        `text: at most ${LIMITS.socketWaitingUnits} UTF-16 units may wait to be spoken`,
      )
    const texts = (count: number): number => Math.floor(Math.max(0, count - 1) / LIMITS.streamInputCharacters)
    const before = texts(characters)
    characters += codePointCount(text)
    for (let more = texts(characters) - before; more > 0; more--)
      charge().catch((error) => fail(explain(error)))
  }

  /** Reads the rest of many messages later, so that other callers have their turn. */
  function throttle(): void {
    const nowMs = clock.nowMs()
    if (nowMs - second.startedAtMs >= 1000) Object.assign(second, { startedAtMs: nowMs, messages: 0 })
    if (++second.messages === MESSAGES_PER_SECOND) socket.pause()
  }

  function check(): void {
    const nowMs = clock.nowMs()
    if (socket.isPaused) socket.resume()
    const outcome = judgeSession({ nowMs, openedAtMs, heardAtMs, aliveAtMs, playedAtMs })
    if (outcome === 'gone') {
      finish(outcome)
      return socket.terminate()
    }
    if (outcome !== null) return fail(new ApiError('request_timeout', EXPIRED[outcome]), outcome)
    if (nowMs - pingedAtMs < PING_MS) return
    pingedAtMs = nowMs
    socket.ping()
  }

  /** Whether what is sent can arrive. While a connection closes, `ws` counts it as unsent for good. */
  const isOpen = (): boolean => end === undefined && socket.readyState === socket.OPEN

  /** Resolves once little is unsent. */
  async function drained(): Promise<void> {
    while (isOpen() && socket.bufferedAmount > UNSENT_BYTES) {
      const stuck = setTimeout(() => {
        finish('stuck')
        socket.terminate()
      }, STUCK_MS)
      await lastSent
      clearTimeout(stuck)
    }
  }

  function pass(event: LiveSpeechEvent): void {
    switch (event.type) {
      case 'audio':
        if (awaitedSinceMs !== undefined) options.onFirstByte(clock.nowMs() - awaitedSinceMs)
        awaitedSinceMs = undefined
        playedAtMs = clock.nowMs() + speech.aheadMs()
        return send(pcm16Bytes(event.samples))
      case 'mark': {
        const { type, kind, text, atMs } = event
        if (kind === 'phrase' && speech.aheadMs() === 0) awaitedSinceMs ??= clock.nowMs()
        return say({ type, kind, text, at_ms: atMs })
      }
      case 'flushed':
        due--
        return say(event)
      case 'canceled':
        due--
        awaitedSinceMs = undefined
        playedAtMs = clock.nowMs()
        return say({ type: 'canceled', at_ms: event.atMs })
      case 'ended':
        say({ type: 'ended', duration_ms: event.durationMs })
        finish('ended')
        socket.close(CLOSE.normal)
    }
  }

  async function speak(): Promise<void> {
    for (;;) {
      // Before an event is taken, so that a cancel drops what is not sent.
      await drained()
      if (!isOpen()) return
      const event = await speech.next()
      if (event === undefined || !isOpen()) return
      pass(event)
    }
  }

  const onStop = (): void =>
    fail(new ApiError('service_unavailable', 'The server is stopping', { retryAfterSeconds: 1 }), 'stopping')
  const checks = setInterval(check, CHECK_MS).unref()
  stopping.addEventListener('abort', onStop, { once: true })
  socket.on('message', (data: Buffer, isBinary) => receive(data, isBinary))
  socket.on('pong', () => void (aliveAtMs = clock.nowMs()))
  // A frame that breaks the protocol; the library closes the connection.
  socket.on('error', () => undefined)
  socket.on('close', () => finish('hung_up'))
  say({ type: 'started', descriptor: options.descriptor })
  if (stopping.aborted) onStop()
  speak().catch((error) => fail(explain(error)))
}

const EXPIRED = {
  idle: `No message arrived for ${LIMITS.socketIdleSeconds} s after the end of the audio`,
  limit: `A session lasts at most ${LIMITS.socketSeconds} s`,
} as const

/** @throws ApiError if the message is none of the contract */
function readMessage(data: Buffer, isBinary: boolean): EngineSocketClientMessage {
  if (isBinary) throw new ApiError('invalid_request', 'Messages must be JSON text')
  if (data.length > LIMITS.socketMessageBytes)
    throw new ApiError('invalid_request', `A message has at most ${LIMITS.socketMessageBytes} bytes`)
  const parsed = engineSocketClientMessageSchema.safeParse(readJson(data.toString()))
  if (parsed.success) return parsed.data
  throw toValidationError({ path: [], headers: [], query: [], body: parsed.error.issues })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's own message quotes the text.
    if (error instanceof SyntaxError) throw new ApiError('invalid_request', 'The message is not JSON')
    throw error
  }
}

/** Leaves out members without a value, because an absent member means the session's own. */
function toLiveMessage(message: EngineSocketClientMessage): Parameters<LiveSpeech['hear']>[0] {
  if (message.type !== 'speak') return message
  const { type, text, emotion, speed } = message
  return { type, text, ...(emotion && { emotion }), ...(speed !== undefined && { speed }) }
}

const isSocketCode = (code: string): code is EngineSocketError =>
  ENGINE_SOCKET_ERRORS.some((known) => known === code)

const toSocketCode = ({ code }: ApiError): EngineSocketError => (isSocketCode(code) ? code : 'internal_error')

function closeCode(code: EngineSocketError): number {
  if (code === 'internal_error') return CLOSE.internal
  return code === 'service_unavailable' ? CLOSE.restart : CLOSE.policy
}
