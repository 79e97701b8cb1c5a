import { CALL_EVENT_TYPES, CALL_TRANSITIONS, isTerminal, type CallStatus } from '@vaani/contracts'
import type { Receiver } from '@vaani/test-harness'
import type { Disk } from '@vaani/test-services/chaos'
import { readdir } from 'node:fs/promises'
import type pg from 'pg'
import type { Cluster } from './cluster.ts'
import type { Entry, Ledger } from './ledger.ts'
import type { ChaosTenant } from './tenants.ts'

export interface CheckOptions {
  cluster: Cluster
  disk: Disk
  receiver: Receiver
  tenants: readonly ChaosTenant[]
  ledger: Ledger
}

/** Counts of unfinished work, all zero once everything has settled. */
const OPEN = `
  select
    (select count(*)::int from webhook_outbox) as outbox,
    (select count(*)::int from webhook_pending) as deliveries,
    (select count(*)::int from calls where ended_at is null and not (status = 'queued' and scheduled_at > now())) as calls,
    (select count(*)::int from verifications where status = 'pending') as verifications`

/** Waits until all work has settled, and reports a violation if some is stuck past the deadline. */
export async function untilQuiet(pool: pg.Pool, ledger: Ledger, withinMs: number): Promise<void> {
  const deadlineMs = performance.now() + withinMs
  for (;;) {
    const open = (await pool.query<Record<string, number>>(OPEN)).rows[0] ?? {}
    if (Object.values(open).every((count) => count === 0)) return
    if (performance.now() > deadlineMs) return ledger.violate('stuck', JSON.stringify(open))
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

interface Made {
  id: string
  mark: string | null
  tenant: string
  status: string
}

/** Compares every response with the final state. */
export async function checkPromises(pool: pg.Pool, options: CheckOptions): Promise<void> {
  const { ledger } = options
  const tenantOf = `case when a.name = 'Operator' then 'operator' else '/' || a.name || case when o.livemode then '/live' else '/test' end end`
  const calls = await pool.query<Made>(
    `select o.call_id as id, o.metadata ->> 'mark' as mark, o.status, ${tenantOf} as tenant from calls o join accounts a using (account_id)`,
  )
  const verifications = await pool.query<Made>(
    `select o.verification_id as id, o.external_id as mark, o.status, ${tenantOf} as tenant from verifications o join accounts a using (account_id)`,
  )
  compare('call', calls.rows, ledger)
  compare('verification', verifications.rows, ledger)
  checkOutcomes(calls.rows, ledger)
  checkDials(options.cluster, ledger)
  await checkEvents(pool, options)
  await checkLeftovers(options)
}

/** Checks that nothing was lost, created twice, created without a request, or created at another tenant. */
function compare(kind: Entry['kind'], made: readonly Made[], ledger: Ledger): void {
  const byMark = Map.groupBy(made, ({ mark }) => mark)
  for (const entry of ledger.entries.filter((one) => one.kind === kind)) {
    const found = byMark.get(entry.mark) ?? []
    if (found.length > 1)
      ledger.violate(`${kind} created more than once`, found.map(({ id }) => id).join(' '))
    if (entry.id !== null && found[0]?.id !== entry.id) ledger.violate(`${kind} lost`, entry.id)
    if (found.some(({ tenant }) => tenant !== entry.tenant))
      ledger.violate(`${kind} of another tenant`, entry.mark)
    byMark.delete(entry.mark)
  }
  for (const [, strangers] of byMark)
    ledger.violate(`${kind} without a request`, strangers.map(({ id }) => id).join(' '))
}

function checkOutcomes(calls: readonly Made[], ledger: Ledger): void {
  const statusById = new Map(calls.map(({ id, status }) => [id, status]))
  for (const entry of ledger.entries) {
    const status = entry.id === null ? undefined : statusById.get(entry.id)
    if (entry.kind !== 'call' || status === undefined) continue
    if (entry.isCanceled && status !== 'failed')
      ledger.violate('continued after cancellation', `${entry.id}: ${status}`)
    if (!entry.isScheduled && !isTerminal(CALL_TRANSITIONS, status as CallStatus))
      ledger.violate('call that never ended', String(entry.id))
  }
}

/** Checks that no call was dialled twice, whatever was killed. */
function checkDials({ members }: Cluster, ledger: Ledger): void {
  const dials = members.flatMap((member) =>
    [
      ...member
        .output()
        .matchAll(
          /"call_id":"(call_\w+)"[^\n]*"event":"call_dialled"|"event":"call_dialled"[^\n]*"call_id":"(call_\w+)"/g,
        ),
    ].map((match) => match[1] ?? match[2] ?? ''),
  )
  for (const [id, all] of Map.groupBy(dials, (callId) => callId))
    if (all.length > 1) ledger.violate('dialled more than once', id)
}

interface EventRow {
  event_id: string
  type: string
  object_id: string
  tenant: string
}

/** Checks that each event arrived at its own tenant's endpoint and no other, and that events of an object arrived in order. */
async function checkEvents(pool: pg.Pool, { receiver, ledger }: CheckOptions): Promise<void> {
  const { rows } = await pool.query<EventRow>(`
    select e.event_id, e.type, e.object_id, '/' || a.name || case when e.livemode then '/live' else '/test' end as tenant
    from events e join accounts a using (account_id) order by e.sequence`)
  const firstAccepted = new Map<string, number>()
  receiver.accepted.forEach(({ path, event }, index) => {
    const which = `${path} ${event.event_id}`
    if (!firstAccepted.has(which)) firstAccepted.set(which, index)
  })
  const known = new Set(rows.map(({ tenant, event_id }) => `${tenant} ${event_id}`))
  for (const which of firstAccepted.keys())
    if (!known.has(which)) ledger.violate('webhook of another tenant, or without an event', which)
  for (const [objectId, events] of Map.groupBy(rows, ({ object_id }) => object_id)) {
    const steps = events.map(({ type }) => type).join(' ')
    const places = events.map(({ tenant, event_id }) => firstAccepted.get(`${tenant} ${event_id}`) ?? -1)
    if (places.includes(-1)) ledger.violate('webhook that never arrived', `${objectId}: ${steps}`)
    else if (places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0))) {
      const ids = new Set(events.map(({ event_id }) => event_id))
      const arrived = receiver.deliveries.filter(({ event }) => ids.has(event.event_id))
      ledger.violate(
        'webhooks out of order',
        `${objectId}: ${steps}; arrived: ${arrived.map(({ event }) => event.type).join(' ')}`,
      )
    }
    if (objectId.startsWith('call_') && events[0]?.type !== CALL_EVENT_TYPES.queued)
      ledger.violate('call without its first event', `${objectId}: ${steps}`)
    if (new Set(events.map(({ type }) => type)).size !== events.length)
      ledger.violate('the same step twice', `${objectId}: ${steps}`)
  }
  ledger.count('webhooks received', receiver.deliveries.length)
  ledger.count('webhooks expected', rows.length)
  const unsigned = receiver.deliveries.filter(({ signature }) => signature !== 'genuine')
  if (unsigned.length > 0) ledger.violate('webhooks without a genuine signature', `${unsigned.length}`)
}

/** Checks that no half-written files and no unencrypted media remain. */
async function checkLeftovers({ disk, ledger }: CheckOptions): Promise<void> {
  const names = await readdir(disk.directory, { recursive: true, withFileTypes: true })
  const files = names
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(disk.directory.length + 1))
  // Each process has a folder there, with a lock file next to it.
  const leftovers = files.filter((file) => /^(blobs\/\.unfinished|unsealed)\/[^/]+\//.test(file))
  for (const file of leftovers) ledger.violate('left behind', file)
}
