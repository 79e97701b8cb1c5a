import { AbortedError, SessionError, TruncatedStreamError } from '../errors.ts'
import { synthesisSocket } from '../generated/routes.ts'
import type { EngineSocketClientMessage, EngineSocketServerMessage } from '../generated/types.ts'
import { isErrorCode } from '../transport/api-error.ts'
import type { Attempt } from '../transport/attempt.ts'
import { watchIdle } from '../transport/idle.ts'
import { whenAborted } from '../transport/when-aborted.ts'
import { SAMPLES_PER_FRAME } from './speech-stream.ts'

/** Ten minutes of audio. A WebSocket has no back-pressure, so what is not read yet is kept. */
export const MAX_UNREAD_BYTES = 600 * 16_000 * 2
export const MAX_UNSENT_BYTES = 1_000_000

type Said<Type> = Extract<EngineSocketClientMessage, { type: Type }>

/** How one text is spoken, where it is not as the session. */
export type SpeakOptions = Omit<Said<'speak'>, 'type' | 'text'>

/** What comes of a session: audio, 16 kHz and mono, and what the service tells between it. */
export type SynthesisEvent =
  | Exclude<EngineSocketServerMessage, { type: 'error' }>
  | { type: 'audio'; samples: Int16Array<ArrayBuffer> }

/**
 * Text that is spoken as it is written. Iterate its events, or its `audio()`; either, once: read again, it has nothing more. A loop that is
 * left closes it.
 *
 * It fails with `SessionError` where the service says so, or where ten minutes of audio or a megabyte of text wait; with
 * `TruncatedStreamError` where the connection ends before `ended`; with `StalledStreamError` where an answer to `flush`, `cancel` or
 * `end` is due, or `started`, and nothing comes for `idleTimeoutMs`; and with `AbortedError`. Who speaks then is told of it too.
 *
 * @throws TypeError where anything is said after `end` or `close`
 */
export interface SynthesisSession extends AsyncIterable<SynthesisEvent>, AsyncDisposable {
  /** Up to 4096 characters, cut anywhere; they are spoken by phrases. */
  speak(text: string, options?: SpeakOptions): void
  /** Takes effect at the next phrase. */
  setEmotion(emotion: Said<'emotion'>['emotion']): void
  /** Speaks what is left of a phrase too; `flushed` follows its audio. */
  flush(): void
  /** Drops what is not spoken yet, and audio that was not read, as where the listener interrupts. `canceled` follows. */
  cancel(): void
  /** Speaks what is left; `ended` follows its audio. */
  end(): void
  /** At once: what was not read is dropped, and the loop ends. */
  close(): void
  /** The samples alone. */
  audio(): AsyncIterable<Int16Array<ArrayBuffer>>
}

/** A token of RFC 9110, as the name of a protocol must be one. */
const KEY = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Rejects where it does not open; why is not told.
 *
 * @throws TypeError at once, where the key cannot travel
 */
export function openSession(
  attempt: Attempt,
  key: string,
  caller: AbortSignal | undefined,
): Promise<SynthesisSession> {
  const { signal, abort, stopTimer, url } = attempt
  const { protocol, keyProtocolPrefix } = synthesisSocket
  // What the constructor throws would show it.
  if (!KEY.test(key)) throw new TypeError('apiKey must be a token of RFC 9110')
  const socket = new WebSocket(url.replace(/^http/, 'ws'), [protocol, keyProtocolPrefix + key])
  const opened = Promise.withResolvers<SynthesisSession>()
  const unread: [SynthesisEvent, number][] = []
  let unreadBytes = 0
  let { context } = attempt
  /** Answers that are to come; the first is `started`. */
  let due = 1
  /** Of those, `canceled`. */
  let cancels = 0
  let isLast = false
  let wake = (): void => undefined
  let stopIdleTimer = wake

  const fail = (code: SessionError['code'], retryable = false): void =>
    abort(new SessionError(`ended: ${code}`, { ...context, code, retryable }))

  function close(): void {
    unread.length = 0
    // No failure: a reason that is undefined would become one.
    abort(null)
  }

  function watch(): void {
    stopIdleTimer()
    if (due > 0 && !signal.aborted) stopIdleTimer = watchIdle({ ...attempt, context })
  }

  function add(event: SynthesisEvent, bytes: number): void {
    unread.push([event, bytes])
    unreadBytes += bytes
    if (unreadBytes > MAX_UNREAD_BYTES) fail('backlog_full')
    wake()
  }

  function receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      const samples = new Int16Array(data)
      // Any number of empty ones would fit.
      if (!data.byteLength || samples.length % SAMPLES_PER_FRAME) return fail('unrecognized')
      if (cancels === 0) add({ type: 'audio', samples }, data.byteLength)
      return
    }
    const message: EngineSocketServerMessage = JSON.parse(data)
    const { type } = message
    // None of any version, and what is falsy would be no event to who reads.
    if (typeof type !== 'string') return fail('unrecognized')
    if (type === 'error')
      return fail(isErrorCode(message.code) ? message.code : 'unrecognized', message.retryable)
    if (type === 'started') context = { ...context, requestId: message.descriptor.request_id }
    // Not below none, as by answers that nobody asked for.
    if (/^(started|flushed|canceled|ended)$/.test(type)) due = Math.max(0, due - 1)
    if (type === 'canceled') cancels = Math.max(0, cancels - 1)
    add(message, data.length)
    if (type !== 'ended') return
    // Before it is asked for it may come while the session is still handed over, which must not end without a reason.
    if (isLast) abort(null)
    else fail('unrecognized')
  }

  function say(message: EngineSocketClientMessage, answers = 0): void {
    if (signal.reason) throw signal.reason
    if (signal.aborted || isLast) throw new TypeError('Nothing can be said after end or close')
    isLast = message.type === 'end'
    socket.send(JSON.stringify(message))
    due += answers
    // A timer that runs goes on, or it would never end where the caller keeps asking.
    if (due === answers) watch()
    if (socket.bufferedAmount <= MAX_UNSENT_BYTES) return
    fail('backlog_full')
    throw signal.reason
  }

  function cancel(): void {
    say({ type: 'cancel' }, 1)
    cancels += 1
    for (const entry of unread.splice(0))
      if (entry[0].type === 'audio') unreadBytes -= entry[1]
      else unread.push(entry)
  }

  async function* read(): AsyncGenerator<SynthesisEvent, void, undefined> {
    for (;;) {
      // Where the session is over nothing else looks, and minutes of audio may be left.
      if (caller?.aborted) throw new AbortedError({ ...context, cause: caller.reason })
      const [event, bytes = 0] = unread.shift() ?? []
      unreadBytes -= bytes
      if (event) yield event
      else if (signal.reason) throw signal.reason
      else if (signal.aborted) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  const events = read()

  async function* readAudio(): AsyncGenerator<Int16Array<ArrayBuffer>, void, undefined> {
    for await (const event of events) if (event.type === 'audio') yield event.samples
  }

  const audio = readAudio()
  // In place of their own, which would come after what is waited for, and do nothing where nothing was read.
  events.return = audio.return = async (): Promise<IteratorReturnResult<void>> => {
    close()
    return { done: true, value: undefined }
  }

  socket.binaryType = 'arraybuffer'
  // Node 22 tells of a failed opening by `error` alone.
  for (const type of ['error', 'close']) socket.addEventListener(type, () => opened.reject())
  socket.addEventListener('message', ({ data }) => {
    if (signal.aborted) return
    try {
      receive(data)
    } catch {
      // Not the parser's error, as its message quotes the text.
      fail('unrecognized')
    }
    watch()
  })
  socket.addEventListener('open', () => {
    // Not every runtime fails where the service chose none.
    if (socket.protocol !== protocol) return opened.reject()
    socket.addEventListener('close', () => abort(new TruncatedStreamError(context)))
    stopTimer()
    watch()
    opened.resolve({
      speak: (text, options) => say({ ...options, type: 'speak', text }),
      setEmotion: (emotion) => say({ type: 'emotion', emotion }),
      flush: () => say({ type: 'flush' }, 1),
      cancel,
      end: () => say({ type: 'end' }, 1),
      close,
      audio: () => audio,
      [Symbol.asyncIterator]: () => events,
      [Symbol.asyncDispose]: async () => close(),
    })
  })
  whenAborted(signal, () => {
    stopIdleTimer()
    socket.close()
    wake()
  })
  return opened.promise
}
