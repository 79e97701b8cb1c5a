import type { AppRoute } from '@vaani/contracts'
import type { FastifyInstance } from 'fastify'
import { claimKey } from '../idempotency/idempotency-hooks.ts'
import type { IdempotencyStore } from '../idempotency/idempotency.ts'
import { digestOfContent, type StreamedRoute } from './streamed-route.ts'
import { type AnswerOf, markStreamed, mountChecked } from '../ts-rest.ts'

/** Mounts a route that reads its body as it arrives, in its own scope without body parsers. */
export async function mountStreamed<Route extends AppRoute>(
  scope: FastifyInstance,
  route: Route,
  options: { receive: StreamedRoute<AnswerOf<Route>>; idempotency: IdempotencyStore },
): Promise<void> {
  const { receive, idempotency: store } = options
  markStreamed(scope)
  await mountChecked(scope, route, async ({ request, reply }) => {
    await using received = await receive({ request, reply })
    const kept = await claimKey({ request, reply, store, content: digestOfContent(received) })
    return kept === null ? await received.act() : { status: kept.status, body: JSON.parse(kept.body) }
  })
}
