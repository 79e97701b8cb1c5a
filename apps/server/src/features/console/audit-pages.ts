import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { metadataOf } from '@vaani/service-kit/http/ts-rest'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { writeAudit } from '../../tenancy/audit-log.ts'

/** Reading these shows personal data. */
export const LOOKS: ReadonlySet<string> = new Set([
  'calls.list',
  'calls.retrieve',
  'calls.recording',
  'calls.transcript',
  'doNotCall.list',
  'doNotCall.exportCsv',
  'doNotCall.listForAll',
  'doNotCall.exportCsvForAll',
  'identity.list',
  'identity.retrieve',
  'identity.subject',
  'reviews.list',
  'reviews.retrieve',
  'reviews.history',
  'reviews.media',
  'reviews.frames',
  'models.readFile',
  'models.ocrDocument',
  'batches.results',
  'webhooks.retrieveDelivery',
])

/** Groups whose requests make something for the person who asks, and change nothing. */
const MAKES_ONLY = new Set(['synthesis', 'speech', 'watermark', 'models'])

/** Changes that the audit log has in words of its own, whoever makes them. */
const HAS_OWN_ENTRY = new Set(['admin.createKey', 'admin.revokeKey'])

/** Pages ask again while somebody watches; one look is one entry. */
const LOOK_MS = 10 * 60_000
const LOOKS_REMEMBERED = 10_000

/** Ids of ours; other names in a path may be personal data, and the log is never erased. */
const ID = /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Writes what people do and look at in the console to the audit log. */
export function createPageAudit(options: { database: Db; clock: Clock; makeId: IdMaker }) {
  const { database, clock, makeId } = options
  const looks = new LRUCache<string, Promise<void>>({
    max: LOOKS_REMEMBERED,
    ttl: LOOK_MS,
    ttlResolution: 0,
    perf: { now: () => clock.nowMs() },
  })

  function write(request: FastifyRequest, action: string): Promise<void> {
    const { keyId, accountId, livemode } = principalOf(request)
    return writeAudit(database, makeId, {
      happened_at: new Date(clock.nowMs()),
      action,
      actor: keyId,
      account_id: accountId,
      livemode,
      key_id: null,
      object_id: objectOf(request),
    })
  }

  /** Notes an answer before it is sent, so that nobody sees what the log does not know of. */
  return async function note(request: FastifyRequest): Promise<void> {
    const operation = metadataOf(request)?.operation
    if (operation === undefined || request.principal === null) return
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      if (isAct(operation)) await write(request, operation)
      return
    }
    if (!LOOKS.has(operation)) return
    const id = `${request.principal.keyId} ${operation} ${pathOf(request)}`
    const noted = looks.get(id)
    if (noted !== undefined) return noted
    const noting = write(request, operation)
    looks.set(id, noting)
    noting.catch(() => looks.delete(id))
    await noting
  }
}

function isAct(operation: string): boolean {
  const [group = ''] = operation.split('.')
  return group !== 'members' && !MAKES_ONLY.has(group) && !HAS_OWN_ENTRY.has(operation)
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? ''

function objectOf({ params }: FastifyRequest): string | null {
  if (typeof params !== 'object' || params === null) return null
  const ids = Object.values(params).filter((value) => typeof value === 'string' && ID.test(value))
  return ids[0] ?? null
}
