import { AbortedError, SessionError, TruncatedStreamError } from '../errors.ts'
import { synthesisSocket } from '../generated/routes.ts'
import type { EngineSocketClientMessage, EngineSocketServerMessage } from '../generated/types.ts'
import { isErrorCode } from '../transport/api-error.ts'
import type { Attempt } from '../transport/attempt.ts'
import { watchIdle } from '../transport/idle.ts'
import { whenAborted } from '../transport/when-aborted.ts'
import { SAMPLES_PER_FRAME } from './speech-stream.ts'

/** Ten minutes of audio. A WebSocket has no back-pressure, so unread audio is buffered. */
export const MAX_UNREAD_BYTES = 600 * 16_000 * 2
const MAX_UNSENT_BYTES = 1_000_000

type Said<Type> = Extract<EngineSocketClientMessage, { type: Type }>

/** Options of one text, which override those of the session. */
export type SpeakOptions = Omit<Said<'speak'>, 'type' | 'text'>

/** Event of a session: audio (16 kHz, mono), or a message of the service between the audio. */
export type SynthesisEvent =
  | Exclude<EngineSocketServerMessage, { type: 'error' }>
  | { type: 'audio'; samples: Int16Array<ArrayBuffer> }

/**
 * Speaks text while it is being written. Iterate its events or its `audio()`, only one of them and only once: a second read yields
 * nothing. Leaving the loop closes the session.
 *
 * A session fails with `SessionError` if the service sends an error or an unknown message, or if more than ten minutes of audio are
 * unread or a megabyte of text is unsent; with `TruncatedStreamError` if the connection ends before `ended`; with `StalledStreamError`
 * if `started` or the reply to `flush`, `cancel` or `end` is due and nothing arrives for `idleTimeoutMs`; and with `AbortedError`.
 * After that, the methods that send throw the same error.
 *
 * @throws TypeError if a method sends anything after `end` or `close`
 */
export interface SynthesisSession extends AsyncIterable<SynthesisEvent>, AsyncDisposable {
  /** Sends up to 4096 characters of text, split anywhere. The service speaks it phrase by phrase. */
  speak(text: string, options?: SpeakOptions): void
  /** Sets the emotion from the next phrase on. */
  setEmotion(emotion: Said<'emotion'>['emotion']): void
  /** Also speaks an unfinished phrase; `flushed` follows its audio. */
  flush(): void
  /** Drops unspoken text and unread audio, for example when the listener interrupts. `canceled` follows. */
  cancel(): void
  /** Speaks the remaining text; `ended` follows its audio. */
  end(): void
  /** Closes the session at once: drops everything unread and ends the loop. */
  close(): void
  /** Iterates over the samples only. */
  audio(): AsyncIterable<Int16Array<ArrayBuffer>>
}

/** An RFC 9110 token, as required of the name of a subprotocol. */
const KEY = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Opens a session. Rejects without a reason if the WebSocket does not open, because the runtime exposes none.
 *
 * @throws TypeError synchronously, if the key cannot be the name of a subprotocol
 */
export function openSession(
  attempt: Attempt,
  key: string,
  caller: AbortSignal | undefined,
): Promise<SynthesisSession> {
  // One long closure, because every form with named parts makes the bundle of each user larger.
  const { signal, abort, stopTimer, url } = attempt
  const { protocol, keyProtocolPrefix } = synthesisSocket
  // Checked here because the error of the constructor would contain the key.
  if (!KEY.test(key)) throw new TypeError('apiKey must be a token of RFC 9110')
  const socket = new WebSocket(url.replace(/^http/, 'ws'), [protocol, keyProtocolPrefix + key])
  const opened = Promise.withResolvers<SynthesisSession>()
  const unread: [SynthesisEvent, number][] = []
  let unreadBytes = 0
  let { context } = attempt
  /** Replies due; the first is `started`. */
  let due = 1
  /** Those of them that are `canceled`. */
  let cancels = 0
  let isLast = false
  let wake = (): void => undefined
  let stopIdleTimer = wake

  const fail = (code: SessionError['code'], retryable = false): void =>
    abort(new SessionError(`ended: ${code}`, { ...context, code, retryable }))

  function close(): void {
    unread.length = 0
    // Null marks a close without failure; `AbortController` would replace an undefined reason by an error.
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
      // Refuse empty messages, which the backlog limit would never stop.
      if (!data.byteLength || samples.length % SAMPLES_PER_FRAME) return fail('unrecognized')
      if (cancels === 0) add({ type: 'audio', samples }, data.byteLength)
      return
    }
    const message: EngineSocketServerMessage = JSON.parse(data)
    const { type } = message
    // Every version of the contract has a `type`; and a reader would mistake a falsy message for no event.
    if (typeof type !== 'string') return fail('unrecognized')
    if (type === 'error')
      return fail(isErrorCode(message.code) ? message.code : 'unrecognized', message.retryable)
    if (type === 'started') context = { ...context, requestId: message.descriptor.request_id }
    // Unrequested replies must not make it negative.
    if (/^(started|flushed|canceled|ended)$/.test(type)) due = Math.max(0, due - 1)
    if (type === 'canceled') cancels = Math.max(0, cancels - 1)
    add(message, data.length)
    if (type !== 'ended') return
    // An unrequested `ended` may arrive before the caller has the session, which must not end without a reason.
    if (isLast) abort(null)
    else fail('unrecognized')
  }

  function say(message: EngineSocketClientMessage, answers = 0): void {
    if (signal.reason) throw signal.reason
    if (signal.aborted || isLast) throw new TypeError('session already ended or closed')
    isLast = message.type === 'end'
    socket.send(JSON.stringify(message))
    due += answers
    // Start the timer only if no reply was due: restarting it would let a caller that keeps sending prevent the timeout.
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
      // Once the session is over, nothing else watches the signal, but minutes of audio may still be unread.
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
  // Replace the generators' own `return`, which would wait for a pending `next` and would do nothing before the first read.
  events.return = audio.return = async (): Promise<IteratorReturnResult<void>> => {
    close()
    return { done: true, value: undefined }
  }

  socket.binaryType = 'arraybuffer'
  // Node 22 reports a failed opening only with `error`.
  for (const type of ['error', 'close']) socket.addEventListener(type, () => opened.reject())
  socket.addEventListener('message', ({ data }) => {
    if (signal.aborted) return
    try {
      receive(data)
    } catch {
      // Do not pass on the parser's error, because its message quotes the text.
      fail('unrecognized')
    }
    watch()
  })
  socket.addEventListener('open', () => {
    // Not every runtime rejects a server that chose no subprotocol.
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
