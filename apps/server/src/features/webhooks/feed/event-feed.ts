import { type Id, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@vaani/contracts'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db } from '@vaani/service-kit/database/connect'
import { repeat } from '@vaani/service-kit/lifecycle/repeat'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { sql } from 'kysely'
import { type EventRead, type RecentEvent, RecentEvents, REMEMBERED } from './recent-events.ts'

/** How soon events are known, and how long a transaction may take between the sequence of its event and an id of its own. */
const READ_EVERY_MS = 1000
/** What the first read remembers. The rest is room for what comes, so that the first positions are not too old at once. */
const READ_FIRST = REMEMBERED / 2
/** Those that are read again, and as many new ones. */
const READ_MOST = 2 * REMEMBERED

/** Gets what happens. */
export interface EventFollower {
  onEvents(events: readonly RecentEvent[]): void
  /** More happened at once than is remembered, so events were left out. */
  onGap(): void
}

/** The events of all tenants from the time at which somebody began to follow them. */
export interface FollowedEvents {
  /** Where another reader goes on. Some events after it may have been passed on already. */
  position(): bigint
  /** Returns the events after the position of any reader; null if that is too long ago, or no position at all. */
  after(position: bigint): readonly RecentEvent[] | null
  stop(): Promise<void>
}

/** The events that all processes write, as each of them can follow them. */
export interface EventFeed {
  /** Follows all events that become visible after this resolves. Rejects if the database cannot be read. */
  follow(follower: EventFollower): Promise<FollowedEvents>
}

export function createEventFeed({ database, log }: { database: Db; log: Logger }): EventFeed {
  return {
    async follow(follower) {
      let recent = await readFirst(database)
      let isFollowed = true
      const reading = repeat({
        name: 'event feed',
        everyMs: READ_EVERY_MS,
        firstMs: READ_EVERY_MS,
        async run() {
          const read = await readAfter(database, recent)
          if (!isFollowed) return
          if (read.events.length >= READ_MOST) {
            recent = await readFirst(database)
            return follower.onGap()
          }
          const fresh = recent.take(read)
          if (fresh.length > 0) follower.onEvents(fresh)
        },
        onError(error) {
          if (isFollowed) log.warn({ error }, 'Events cannot be read; pages of the console show them later')
        },
      })
      return {
        position: () => recent.position,
        after: (position) => recent.after(position),
        stop() {
          isFollowed = false
          return reading.stop()
        },
      }
    },
  }
}

/** Reads the newest events, so that pages that were connected to another process can go on. */
async function readFirst(database: Db): Promise<RecentEvents> {
  const newest = await byIndex(database, (tx) =>
    tx.selectFrom('events').select('sequence').orderBy('sequence', 'desc').limit(1).executeTakeFirst(),
  )
  const first = BigInt(newest?.sequence ?? 0) - BigInt(READ_FIRST)
  const recent = new RecentEvents(first > 0n ? first : 0n)
  recent.take(await readAfter(database, recent))
  return recent
}

interface Row {
  ended_below: string
  begun_below: string | null
  /** Null if there is no event. */
  sequence: string | null
  account_id: Id<'account'>
  livemode: boolean
  type: string
  object_id: string
}

async function readAfter(database: Db, { position, asksWhatBegan }: RecentEvents): Promise<EventRead> {
  const { rows } = await byIndex(database, (tx) =>
    sql<Row>`
      select seen.*, event.* from (
        select pg_snapshot_xmin(pg_current_snapshot())::text as ended_below,
          case when ${asksWhatBegan} then pg_current_xact_id()::text end as begun_below
      ) seen left join lateral (
        select sequence, account_id, livemode, type, object_id from events
        where sequence > ${position} order by sequence limit ${READ_MOST}
      ) event on true order by sequence`.execute(tx),
  )
  const [seen] = rows
  if (seen === undefined) throw new Error('A statement that returns a row returned none')
  return {
    events: rows.flatMap(toEvent),
    endedBelow: BigInt(seen.ended_below),
    begunBelow: seen.begun_below === null ? null : BigInt(seen.begun_below),
  }
}

function toEvent({ sequence, account_id, livemode, type, object_id }: Row): RecentEvent[] {
  if (sequence === null || !isEventType(type)) return []
  return [{ sequence: BigInt(sequence), accountId: account_id, livemode, type, objectId: object_id }]
}

const TYPES: ReadonlySet<string> = new Set(WEBHOOK_EVENT_TYPES)
const isEventType = (type: string): type is WebhookEventType => TYPES.has(type)
