import { synthesisSocket } from '../generated/routes.ts'
import { openSession, type SynthesisSession } from '../streams/synthesis-session.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection } from './resource.ts'

/** Those of a request, for the opening; `idleTimeoutMs` and `signal` are for the session too. */
export type RealtimeOptions = Omit<RequestOptions, 'headers' | 'idempotencyKey'>

/** Sessions over a WebSocket. */
export interface Realtime {
  /**
   * Opens a session that speaks text as it is written. `fetch`, `middleware` and `headers` have no part in it. Where it is
   * refused, for a wrong key as well, it fails with `ConnectionError`, as a WebSocket tells no status.
   *
   * @throws TypeError where the key is no token of RFC 9110: it travels as the name of a protocol
   * @example
   * await using session = await vaani.realtime.synthesize()
   * for (const text of ['Good ', 'morning.']) session.speak(text, { emotion: 'warm' })
   * session.end()
   * for await (const frame of session.audio()) play(frame)
   */
  synthesize(options?: RealtimeOptions): Pending<SynthesisSession>
}

/** Sessions alone, for a smaller bundle. */
export function createRealtime(connection: Connection): Realtime {
  const transport = connect(connection)
  return {
    synthesize(options) {
      let session: SynthesisSession
      return transport.send({
        route: synthesisSocket,
        options,
        connect: (attempt, key) =>
          openSession(attempt, key, options?.signal).then((opened) => {
            session = opened
            return Object.defineProperty(new Response(), 'status', { value: 101 })
          }),
        read: () => session,
      })
    },
  }
}
