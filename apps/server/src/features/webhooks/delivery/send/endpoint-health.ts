import { ENDPOINT_EVENT_TYPES, type EndpointEventType } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Updateable } from 'kysely'
import { toEndpoint } from '../../endpoint-view.ts'
import type { WebhookEndpointTable } from '../../tables.ts'
import { writeEvent } from '../../write-event.ts'

/** An endpoint and the URL that an attempt was sent to. */
export interface TriedEndpoint {
  endpointId: string
  url: string
}

/** Records the health of endpoints. Every method is a no-op if the endpoint's URL has changed since the attempt. */
export interface EndpointHealth {
  markFailing(tried: TriedEndpoint, sinceMs: number): Promise<void>
  markWell(tried: TriedEndpoint): Promise<void>
  /** Marks the endpoint as warned, and writes an event for the account's other endpoints. */
  warn(tried: TriedEndpoint): Promise<void>
  /**
   * Disables the endpoint and writes an event for the account's other endpoints.
   *
   * @returns whether the endpoint was enabled before
   */
  disable(tried: TriedEndpoint, reason: 'gone' | 'failing'): Promise<boolean>
}

export function createEndpointHealth(options: {
  database: Db
  clock: Clock
  makeId: IdMaker
  /** Called after an event is committed. */
  onEvents: () => void
}): EndpointHealth {
  const { database, clock, makeId, onEvents } = options

  const update = (db: Db, { endpointId, url }: TriedEndpoint, changes: Updateable<WebhookEndpointTable>) =>
    db
      .updateTable('webhook_endpoints')
      .set(changes)
      .where('endpoint_id', '=', endpointId)
      .where('url', '=', url)

  async function changeWithEvent(
    type: EndpointEventType,
    change: (tx: Db, now: Date) => ReturnType<typeof update>,
  ): Promise<boolean> {
    const created_at = new Date(clock.nowMs())
    const isChanged = await database.transaction().execute(async (tx) => {
      const row = await change(tx, created_at).returningAll().executeTakeFirst()
      if (row === undefined) return false
      const event_id = makeId('event')
      const { account_id, livemode, endpoint_id: object_id } = row
      const body = { event_id, type, created_at: created_at.toISOString(), data: toEndpoint(row) }
      const event = {
        event_id,
        account_id,
        livemode,
        type,
        object_id,
        body: JSON.stringify(body),
        created_at,
      }
      await writeEvent(tx, event)
      return true
    })
    if (isChanged) onEvents()
    return isChanged
  }

  return {
    async markFailing(tried, sinceMs) {
      await update(database, tried, { failing_since: new Date(sinceMs) })
        .where('failing_since', 'is', null)
        .execute()
    },
    async markWell(tried) {
      await update(database, tried, { failing_since: null, warned_at: null })
        .where('failing_since', 'is not', null)
        .execute()
    },
    async warn(tried) {
      await changeWithEvent(ENDPOINT_EVENT_TYPES.failing, (tx, now) =>
        update(tx, tried, { warned_at: now })
          .where('failing_since', 'is not', null)
          .where('warned_at', 'is', null)
          .where('enabled', '=', true),
      )
    },
    disable: (tried, reason) =>
      changeWithEvent(ENDPOINT_EVENT_TYPES.disabled, (tx, now) =>
        update(tx, tried, { enabled: false, disabled_at: now, disabled_reason: reason }).where(
          'enabled',
          '=',
          true,
        ),
      ),
  }
}
