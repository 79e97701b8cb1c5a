import {
  engineSocketQuerySchema,
  LIMITS,
  SOCKETS,
  SYNTHESIS_LIMITS,
  SYNTHESIS_VOICES,
} from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { consumeMore } from '@vaani/service-kit/http/limits/rate-limits'
import { handleSocket } from '@vaani/service-kit/http/sockets'
import type { Mount } from '@vaani/service-kit/service/define-feature'
import { SYNTHESIS_MODEL_PROFILES } from '@vaani/speech/synthesis'
import type { SynthesisContext } from '../context.ts'
import { runSession } from '../session.ts'

/** Beyond this, a message closes the connection without an `error`. */
const MAX_PAYLOAD_BYTES = 4 * LIMITS.socketMessageBytes

/** GET /v1/engine/stream, upgraded to a WebSocket */
export function synthesisSocket(context: SynthesisContext): Mount {
  const { clock, events, limiter, log, metrics, speech, stopping } = context
  const { operation } = SOCKETS.engineStream
  return handleSocket(
    { ...SOCKETS.engineStream, query: engineSocketQuerySchema },
    {
      maxPayload: MAX_PAYLOAD_BYTES,
      limiter,
      async open({ query, request, reply }) {
        const principal = principalOf(request)
        const live = await speech.openLive({
          body: query,
          request,
          reply,
          builtInVoices: SYNTHESIS_VOICES,
          model: SYNTHESIS_MODEL_PROFILES[query.model],
        })
        const openedAtMs = clock.nowMs()
        return (socket) => {
          events.record('session_started', { request_id: request.id })
          runSession({
            ...live,
            socket,
            clock,
            stopping,
            charge: () => consumeMore({ name: SYNTHESIS_LIMITS[query.model], principal, limiter }),
            onFirstByte: (delayMs) => metrics.sessionFirstByte.observe({}, delayMs / 1000),
            onEnd(reason, error) {
              metrics.sessions.add({ reason })
              const duration_ms = Math.round(clock.nowMs() - openedAtMs)
              events.record('session_ended', { request_id: request.id, reason, duration_ms })
              if (error?.code === 'internal_error')
                log.error(
                  { request_id: request.id, operation, code: error.code, error: error.cause },
                  'A session failed',
                )
            },
          })
        }
      },
    },
  )
}
