import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Entry, Ledger } from './ledger.ts'
import type { ChaosLine } from './line.ts'
import type { ChaosTenant } from './tenants.ts'
import { specimenPath } from '../test/support/specimen-path.ts'

/** No response may take longer than this, whatever is broken. */
const REQUEST_TIMEOUT_MS = 60_000
const RETRY_MS = 250
const DAY_MS = 86_400_000

export interface LoadOptions {
  cluster: Cluster
  /** Where calls of live mode ring. */
  line: Pick<ChaosLine, 'nextNumber'>
  tenants: readonly ChaosTenant[]
  ledger: Ledger
  random(): number
  /** Aborts once the storm is over; requests without a response by then stay open. */
  over: AbortSignal
}

interface Answer {
  status: number
  text: string
  headers: Headers
}

/** Runs clients that place calls, stream speech and submit documents until the storm is over. */
export async function runLoad(options: LoadOptions): Promise<void> {
  const media = {
    front_image_b64: (await readFile(specimenPath('passport.jpg'))).toString('base64'),
    liveness_video_b64: (await readFile(specimenPath('liveness.mp4'))).toString('base64'),
  }
  const client = createClient(options)
  const everyTenant = (pauseMs: number, act: (tenant: ChaosTenant) => Promise<void>) =>
    options.tenants.map(async (tenant) => {
      while (!options.over.aborted) {
        await act(tenant)
        await delay(pauseMs * (0.5 + options.random()))
      }
    })
  await Promise.all([
    ...everyTenant(400, client.placeCall),
    ...everyTenant(1500, client.stream),
    ...everyTenant(6000, (tenant) => client.submit(tenant, media)),
    ...everyTenant(500, client.readBack),
  ])
}

function createClient({ cluster, ledger, line, random, over }: LoadOptions) {
  const urls = cluster.members.flatMap(({ url }) => url ?? [])
  const anyUrl = () => urls[Math.floor(random() * urls.length)] ?? ''

  /** Sends a request to a random server. Returns null if it got no response. */
  async function send(
    tenant: ChaosTenant,
    path: string,
    request: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Answer | null> {
    const startMs = performance.now()
    try {
      const response = await fetch(anyUrl() + path, {
        ...request,
        headers: { authorization: `Bearer ${tenant.key}`, ...request.headers },
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      })
      const text = await response.text()
      ledger.count(`answered ${response.status}`)
      judge(path, response, text)
      return { status: response.status, text, headers: response.headers }
    } catch {
      if (performance.now() - startMs > REQUEST_TIMEOUT_MS - 1000) ledger.violate('no response in time', path)
      ledger.count('no response')
      return null
    }
  }

  function judge(path: string, { status, headers }: Response, text: string): void {
    if (status >= 500 && status !== 503)
      ledger.violate(`answered ${status}`, `${path}: ${text.slice(0, 200)}`)
    if (status === 503 && headers.get('retry-after') === null) ledger.violate('503 without Retry-After', path)
    if (status === 401 || status === 404)
      ledger.violate(`answered ${status}`, `${path}: ${text.slice(0, 200)}`)
  }

  /** Retries until a response does not ask for a retry. */
  async function persist(...request: Parameters<typeof send>): Promise<Answer | null> {
    while (!over.aborted) {
      const answer = await send(...request)
      const mayTryAgain =
        answer === null ||
        answer.status === 503 ||
        (answer.status >= 400 && answer.headers.has('retry-after'))
      if (!mayTryAgain) return answer
      await delay(RETRY_MS)
    }
    return null
  }

  /** Creates an object exactly once, with as many retries as needed, and sometimes repeats the successful request. */
  async function create(options: {
    tenant: ChaosTenant
    entry: Entry
    path: string
    idField: string
    body: object
    status: number
  }): Promise<void> {
    const { tenant, entry, path, idField, body, status } = options
    ledger.entries.push(entry)
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    }
    const answer = await persist(tenant, path, request)
    if (answer === null) return
    if (answer.status !== status)
      return ledger.violate(`rejected with ${answer.status}`, `${path}: ${answer.text.slice(0, 200)}`)
    entry.id = String(JSON.parse(answer.text)[idField])
    entry.answer = answer.text
    if (random() > 0.3) return
    const again = await persist(tenant, path, request)
    if (again !== null && again.text !== answer.text)
      ledger.violate('a retry with another response', `${entry.id}: ${again.status}`)
    if (again !== null && again.headers.get('idempotent-replayed') !== 'true')
      ledger.violate('a retry not marked as a replay', entry.id)
  }

  const newEntry = (tenant: ChaosTenant, kind: Entry['kind'], isScheduled = false): Entry => ({
    tenant: tenant.name,
    kind,
    mark: `mark-${randomUUID()}`,
    id: null,
    answer: null,
    isScheduled,
    isCanceled: false,
  })

  return {
    async placeCall(tenant: ChaosTenant): Promise<void> {
      const isScheduled = random() < 0.4
      const entry = newEntry(tenant, 'call', isScheduled)
      const body = {
        to: line.nextNumber(),
        agent_id: 'reminder',
        language: 'en-US',
        metadata: { mark: entry.mark },
        ...(isScheduled && { scheduled_at: new Date(Date.now() + DAY_MS).toISOString() }),
      }
      await create({ tenant, entry, path: '/agent/calls', idField: 'call_id', body, status: 201 })
      if (!isScheduled || entry.id === null || random() < 0.5) return
      const canceled = await persist(tenant, `/agent/calls/${entry.id}/cancel`, { method: 'POST' })
      // A retry after a lost response finds the call canceled and gets 409.
      if (canceled !== null) entry.isCanceled = true
    },

    async submit(tenant: ChaosTenant, media: object): Promise<void> {
      const entry = newEntry(tenant, 'verification')
      const body = { ...media, external_id: entry.mark }
      await create({ tenant, entry, path: '/identity/kyc/v2', idField: 'verification_id', body, status: 200 })
    },

    /** Reads an object back with its own tenant's key. */
    async readBack(tenant: ChaosTenant): Promise<void> {
      const made = ledger.entries.filter((entry) => entry.tenant === tenant.name && entry.id !== null)
      const entry = made[Math.floor(random() * made.length)]
      if (entry === undefined) return
      const path = entry.kind === 'call' ? '/agent/calls' : '/identity/verifications'
      const answer = await send(tenant, `${path}/${entry.id}`)
      if (answer?.status === 200 && !answer.text.includes(entry.mark))
        ledger.violate('read back as another object', String(entry.id))
    },

    async stream(tenant: ChaosTenant): Promise<void> {
      const words = ['One', 'Two', 'Three', 'Four'][Math.floor(random() * 4)]
      const body = JSON.stringify({ model: 'stream-tts', input: `${words} for all.`, language: 'en-US' })
      const headers = { 'content-type': 'application/json' }
      const answer = await send(tenant, '/v1/audio/stream', { method: 'POST', headers, body })
      if (answer?.status === 200 && answer.text.length === 0) ledger.violate('an empty stream', tenant.name)
    },
  }
}
