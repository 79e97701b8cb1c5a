import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Migration, MigrationVerdict, Pair } from '@vaani/client'

export const ADMIN_KEY = 'sk_live_admin'

/** A request as the worker got it. */
export interface Received {
  readonly request: string
  readonly json: unknown
  readonly form: FormData | null
  readonly idempotencyKey: string | null
}

export interface TestWorker extends AsyncDisposable {
  readonly received: Received[]
  /** Environment variables that lead to it. */
  readonly variables: Readonly<Record<string, string>>
}

/** Starts an HTTP server in place of a migration worker. @param answer returns the response of each request with the right key */
export async function startTestWorker(
  answer: (received: Received) => Response | Promise<Response>,
): Promise<TestWorker> {
  const received: Received[] = []
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    // A caller may go away while it sends.
    const body = await buffer(incoming).catch(() => null)
    if (body === null) return
    const type = headers['content-type'] ?? ''
    const sent = new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    const one: Received = {
      request: `${method} ${url}`,
      json: type === 'application/json' ? await sent.json() : null,
      form: type.startsWith('multipart/') ? await sent.formData() : null,
      idempotencyKey: headers['idempotency-key']?.toString() ?? null,
    }
    received.push(one)
    const isKnown = headers.authorization === `Bearer ${ADMIN_KEY}`
    const response = isKnown ? await answer(one) : refuse(401, 'unauthorized')
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(new Uint8Array(await response.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // `address` is a path only for a server on a pipe.
  const { port } = server.address() as AddressInfo
  return {
    received,
    variables: { VAANI_SHADOW_URL: `http://127.0.0.1:${port}`, VAANI_SHADOW_API_KEY: ADMIN_KEY },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export const refuse = (status: number, code: string): Response =>
  Response.json({ error: { code, message: 'No', param: null } }, { status })

export const migration = (
  stage: Migration['stage'],
  advice: MigrationVerdict['advice'] = 'promote',
): Migration => ({
  stage,
  answers: stage === 'live' || stage === 'complete' ? 'v2' : 'v1',
  shadow_share: 0.1,
  kill_switch: { engaged: false, source: null },
  flag_source: 'table',
  changed_at: '2026-11-22T00:00:00Z',
  changed_by: 'asha',
  evidence_since: '2026-11-21T00:00:00Z',
  attention: [],
  verdict: {
    advice,
    because: 'Every rate is within what is allowed.',
    missing_pairs: 0,
    pairs_per_day: 700,
    conditions: [
      {
        name: 'worst_mismatches',
        label: 'One side approved what the other declined',
        state: 'open',
        events: 1,
        trials: 5210,
        allowed: 0.001,
        lower: 0.0000123,
        upper: 0.0012,
        noise: null,
        missing_trials: 1400,
      },
    ],
    error_difference: {
      pairs: 5210,
      only_v1: 12,
      only_v2: 9,
      value: -0.000576,
      lower: -0.00378,
      upper: 0.00247,
    },
  },
  pairs: { waiting: 3, ended: 5210, sent_today: 700, daily_budget: 2000 },
  spool: { submissions: 0, bytes: 0, max_bytes: 1 },
})

const SIDE: Pair['v1'] = {
  verification_id: 'ver_1',
  ending: 'approved',
  error_code: null,
  reason_codes: [],
  id_confirmed: true,
  called_back: true,
  answer_ms: 1,
  decision_ms: 2,
}

export const pair = (pair_id: string): Pair => ({
  pair_id,
  kind: 'comparison',
  stage: 'shadow-10',
  outcome: 'mismatched',
  created_at: '2026-11-22T00:00:00Z',
  ended_at: '2026-11-22T00:01:00Z',
  v1: SIDE,
  v2: { ...SIDE, ending: 'declined', reason_codes: ['document_expired'] },
  severity: 'worst',
  differs_in_code: false,
  differing_scores: ['liveness'],
  fields: { full_name: 'different', sex: 'equal' },
  acknowledged_at: null,
  note: null,
})
