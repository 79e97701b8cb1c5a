import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { VoicesContext } from '../context.ts'
import { toVoice } from '../view.ts'

/** GET /v1/voices */
export function listVoices({ store }: VoicesContext): Handler<Contract['voices']['list']> {
  return async ({ query: { limit, cursor }, request }) => {
    const rows = await store.list(principalOf(request), { limit: limit + 1, cursor })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.voice_id, view: toVoice }) }
  }
}
