import { synthesisSocket } from '../generated/routes.ts'
import { openSession, type SynthesisSession } from '../streams/synthesis-session.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection, type Query } from './resource.ts'

/**
 * How the session speaks, and request options that apply to opening it; `idleTimeoutMs` and `signal` also apply to the session
 * itself.
 */
export type RealtimeOptions = Query<'synthesis.socket'> & Omit<RequestOptions, 'headers' | 'idempotencyKey'>

/** Sessions over a WebSocket. */
export interface Realtime {
  /**
   * Opens a session that speaks text while it is being written. Ignores `fetch`, `middleware` and `headers`. Rejects with
   * `ConnectionError` if the server refuses it, even because of a wrong key, because a WebSocket does not expose the status.
   *
   * @throws TypeError if the key is not an RFC 9110 token: it is sent as the name of a subprotocol
   * @example
   * await using session = await vaani.realtime.synthesize({ model: 'synth-l1', language: 'en-GB' })
   * for (const text of ['Good ', 'morning.']) session.speak(text, { emotion: 'warm' })
   * session.end()
   * for await (const frame of session.audio()) play(frame)
   */
  synthesize(options?: RealtimeOptions): Pending<SynthesisSession>
}

/** Creates the realtime namespace alone, for a smaller bundle. */
export function createRealtime(connection: Connection): Realtime {
  const transport = connect(connection)
  return {
    synthesize(options = {}) {
      const { model, voice, language, markup, emotion, speed } = options
      let session: SynthesisSession
      return transport.send({
        route: synthesisSocket,
        query: { model, voice, language, markup, emotion, speed },
        options,
        connect: (attempt, key) =>
          openSession(attempt, key, options.signal).then((opened) => {
            session = opened
            return Object.defineProperty(new Response(), 'status', { value: 101 })
          }),
        read: () => session,
      })
    },
  }
}
