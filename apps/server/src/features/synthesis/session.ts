import {
  codePointCount,
  ENGINE_SOCKET_ERRORS,
  type EngineSocketClientMessage,
  engineSocketClientMessageSchema,
  type EngineSocketError,
  type EngineSocketServerMessage,
  ERRORS,
  LIMITS,
  readInput,
  sizeText,
  type StreamDescriptor,
} from '@vaani/contracts'
import { pcm16Bytes } from '@vaani/pcm-audio'
import type { Clock } from '@vaani/service-kit/clock'
import { parseJson } from '@vaani/service-kit/http/body/parse-json'
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
  new SocketSession(options).run()
}

class SocketSession {
  readonly #options: SessionOptions
  readonly #socket: WebSocket
  readonly #speech: LiveSpeech
  readonly #clock: Clock
  readonly #charge: () => Promise<void>
  readonly #explain: (error: unknown) => ApiError
  readonly #stopping: AbortSignal
  readonly #openedAtMs: number
  #heardAtMs: number
  #aliveAtMs: number
  #pingedAtMs: number
  /** When all audio sent so far could have been played. */
  #playedAtMs: number
  /** When the audio that the listener waits for was begun. */
  #awaitedSinceMs: number | undefined
  #characters = 0
  /** Answers to `flush`, `cancel` and `end` that are not sent. */
  #due = 0
  #hasEnd = false
  #end: SessionEnd | undefined
  #checks: NodeJS.Timeout | undefined
  #lastSent: Promise<void> = Promise.resolve()
  readonly #second: { startedAtMs: number; messages: number }
  readonly #onStop: () => void

  constructor(options: SessionOptions) {
    this.#options = options
    const { socket, speech, clock, charge, explain, stopping } = options
    this.#socket = socket
    this.#speech = speech
    this.#clock = clock
    this.#charge = charge
    this.#explain = explain
    this.#stopping = stopping
    this.#openedAtMs = clock.nowMs()
    this.#heardAtMs = this.#openedAtMs
    this.#aliveAtMs = this.#openedAtMs
    this.#pingedAtMs = this.#openedAtMs
    this.#playedAtMs = this.#openedAtMs
    this.#second = { startedAtMs: this.#openedAtMs, messages: 0 }
    this.#onStop = (): void =>
      this.#fail(
        new ApiError('service_unavailable', 'The server is stopping', { retryAfterSeconds: 1 }),
        'stopping',
      )
  }

  run(): void {
    this.#checks = setInterval(() => this.#check(), CHECK_MS).unref()
    this.#stopping.addEventListener('abort', this.#onStop, { once: true })
    this.#socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary))
    this.#socket.on('pong', () => void (this.#aliveAtMs = this.#clock.nowMs()))
    // A frame that breaks the protocol; the library closes the connection.
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => this.#finish('hung_up'))
    this.#say({ type: 'started', descriptor: this.#options.descriptor })
    if (this.#stopping.aborted) this.#onStop()
    this.#speak().catch((error) => this.#fail(this.#explain(error)))
  }

  #finish(as: SessionEnd, error?: ApiError): void {
    if (this.#end !== undefined) return
    this.#end = as
    clearInterval(this.#checks)
    this.#stopping.removeEventListener('abort', this.#onStop)
    this.#speech.close()
    // Otherwise the closing frame of the caller would not be read.
    this.#socket.resume()
    this.#options.onEnd(as, error)
  }

  #send(data: string | Uint8Array): void {
    this.#lastSent = new Promise((resolve) =>
      this.#socket.send(data, () => {
        this.#aliveAtMs = this.#clock.nowMs()
        resolve()
      }),
    )
  }

  #say(message: EngineSocketServerMessage): void {
    this.#send(JSON.stringify(message))
  }

  #fail(error: ApiError, as: SessionEnd = 'failed'): void {
    if (this.#end !== undefined) return
    const code = toSocketCode(error)
    const { retryable } = ERRORS[code]
    const message = code === error.code ? error.message : 'The service failed; report the request id'
    this.#say({ type: 'error', code, message, retryable })
    this.#finish(as, error)
    this.#socket.close(closeCode(code))
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#heardAtMs = this.#aliveAtMs = this.#clock.nowMs()
    if (this.#end !== undefined) return
    this.#throttle()
    try {
      this.#hear(readMessage(data, isBinary))
    } catch (error) {
      this.#fail(this.#explain(error))
    }
  }

  #hear(message: EngineSocketClientMessage): void {
    if (this.#hasEnd) throw new ApiError('invalid_request', 'A message followed `end`')
    this.#hasEnd = message.type === 'end'
    if (message.type === 'speak') this.#admit(message.text)
    else if (message.type !== 'emotion' && ++this.#due > MAX_DUE)
      throw new ApiError('rate_limit_exceeded', `At most ${MAX_DUE} messages may wait for their answers`)
    this.#speech.hear(toLiveMessage(message))
  }

  /** Checks that a text may wait, and counts it. */
  #admit(text: string): void {
    if (this.#speech.waitingUnits() + text.length > LIMITS.socketWaitingUnits)
      throw new ApiError(
        'text_too_long',
        `text: at most ${LIMITS.socketWaitingUnits} UTF-16 units may wait to be spoken`,
      )
    const texts = (count: number): number => Math.floor(Math.max(0, count - 1) / LIMITS.streamInputCharacters)
    const before = texts(this.#characters)
    this.#characters += codePointCount(text)
    for (let more = texts(this.#characters) - before; more > 0; more--)
      this.#charge().catch((error) => this.#fail(this.#explain(error)))
  }

  /** Reads the rest of many messages later, so that other callers have their turn. */
  #throttle(): void {
    const nowMs = this.#clock.nowMs()
    if (nowMs - this.#second.startedAtMs >= 1000)
      Object.assign(this.#second, { startedAtMs: nowMs, messages: 0 })
    if (++this.#second.messages === MESSAGES_PER_SECOND) this.#socket.pause()
  }

  #check(): void {
    const nowMs = this.#clock.nowMs()
    if (this.#socket.isPaused) this.#socket.resume()
    const outcome = judgeSession({
      nowMs,
      openedAtMs: this.#openedAtMs,
      heardAtMs: this.#heardAtMs,
      aliveAtMs: this.#aliveAtMs,
      playedAtMs: this.#playedAtMs,
    })
    if (outcome === 'gone') {
      this.#finish(outcome)
      return this.#socket.terminate()
    }
    if (outcome !== null) return this.#fail(new ApiError('request_timeout', EXPIRED[outcome]), outcome)
    if (nowMs - this.#pingedAtMs < PING_MS) return
    this.#pingedAtMs = nowMs
    this.#socket.ping()
  }

  /** Whether what is sent can arrive. While a connection closes, `ws` counts it as unsent for good. */
  #isOpen(): boolean {
    return this.#end === undefined && this.#socket.readyState === this.#socket.OPEN
  }

  /** Resolves once little is unsent. */
  async #drained(): Promise<void> {
    while (this.#isOpen() && this.#socket.bufferedAmount > UNSENT_BYTES) {
      const stuck = setTimeout(() => {
        this.#finish('stuck')
        this.#socket.terminate()
      }, STUCK_MS)
      await this.#lastSent
      clearTimeout(stuck)
    }
  }

  #pass(event: LiveSpeechEvent): void {
    switch (event.type) {
      case 'audio':
        if (this.#awaitedSinceMs !== undefined)
          this.#options.onFirstByte(this.#clock.nowMs() - this.#awaitedSinceMs)
        this.#awaitedSinceMs = undefined
        this.#playedAtMs = this.#clock.nowMs() + this.#speech.aheadMs()
        return this.#send(pcm16Bytes(event.samples))
      case 'mark': {
        const { type, kind, text, atMs } = event
        if (kind === 'phrase' && this.#speech.aheadMs() === 0) this.#awaitedSinceMs ??= this.#clock.nowMs()
        return this.#say({ type, kind, text, at_ms: atMs })
      }
      case 'flushed':
        this.#due--
        return this.#say(event)
      case 'canceled':
        this.#due--
        this.#awaitedSinceMs = undefined
        this.#playedAtMs = this.#clock.nowMs()
        return this.#say({ type: 'canceled', at_ms: event.atMs })
      case 'ended':
        this.#say({ type: 'ended', duration_ms: event.durationMs })
        this.#finish('ended')
        this.#socket.close(CLOSE.normal)
    }
  }

  async #speak(): Promise<void> {
    for (;;) {
      // Before an event is taken, so that a cancel drops what is not sent.
      await this.#drained()
      if (!this.#isOpen()) return
      const event = await this.#speech.next()
      if (event === undefined || !this.#isOpen()) return
      this.#pass(event)
    }
  }
}

const EXPIRED = {
  idle: `No message arrived for ${LIMITS.socketIdleSeconds} s after the end of the audio`,
  limit: `A session lasts at most ${LIMITS.socketSeconds} s`,
} as const

/** @throws ApiError if the message is none of the contract */
function readMessage(data: Buffer, isBinary: boolean): EngineSocketClientMessage {
  if (isBinary) throw new ApiError('invalid_request', 'Messages must be JSON text')
  if (data.length > LIMITS.socketMessageBytes)
    throw new ApiError('invalid_request', `A message has at most ${sizeText(LIMITS.socketMessageBytes)}`)
  const parsed = readInput(engineSocketClientMessageSchema, readJson(data.toString()))
  if (parsed.success) return parsed.data
  throw toValidationError({ path: [], headers: [], query: [], body: parsed.error.issues })
}

function readJson(text: string): unknown {
  try {
    return parseJson(text)
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
