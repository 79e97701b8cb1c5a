import type { LimitUse } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { inTransaction, type Queryable } from '@vaani/service-kit/database/transaction'
import type { Pool } from 'pg'
import { type AccountCaps, type CapsEntry, capsOf } from './carriers/line-caps.ts'
import { type CarrierRoutes, isSimulator, priceOf, type RoutedCall } from './rules/choose-carrier.ts'
import { toUnits } from './rules/money.ts'

/** What can be used up. */
export const CAPS = ['minutes', 'spend', 'attempts'] as const
export type Cap = (typeof CAPS)[number]
/** When a call was refused, or ended. */
export const CAPPED_AT = ['placement', 'dial', 'talk'] as const
export type CappedAt = (typeof CAPPED_AT)[number]

export type CappedCall = RoutedCall & { carrier: string }

/** What a call has taken of its account's caps. */
export interface Charge {
  readonly call: CappedCall
  /** The price of a minute when it was dialled. */
  readonly micros: number
  /** The day of the attempt. */
  readonly day: string
  /** The day of each of its minutes so far. */
  readonly minutes: string[]
}

/**
 * Keeps what accounts use of phone lines within the operator's caps. Each minute is taken before it begins, as whole minutes are billed, so
 * that many workers at once never exceed a cap, and what a killed worker took stays taken. A day is one of UTC. Simulators cost nothing
 * and are not counted.
 */
export interface LineCaps {
  /** Whether the calls of a carrier are counted. */
  isCounted(carrier: string): boolean
  /** Returns the cap that a call would meet if it were dialled at a time, if that is today; null if none. */
  findReached(client: Queryable, call: CappedCall, dueAt: Date): Promise<Cap | null>
  /** Takes the first minute of a call, and an attempt at its number. Returns the cap that refuses it, and takes nothing then. */
  take(call: CappedCall): Promise<Charge | Cap>
  /** Takes a further minute. Returns the cap that refuses it; null if none does. */
  extend(charge: Charge): Promise<Cap | null>
  /** Gives back the minutes after the first so many, and the attempt if no phone can have rung. */
  settle(charge: Charge, used: { minutes: number; attempted: boolean }): Promise<void>
  /** Returns the caps of an account, and what it used today. */
  read(accountId: string): Promise<LimitUse['caps']>
}

const DAY_MS = 86_400_000
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The first row of a day, and each later minute, only if both caps have room. */
const TAKE_MINUTE = `
  insert into line_use as used (account_id, day, minutes, spend_micros)
  select $1, $2::date, 1, $3::bigint where $5::bigint is null or $5 >= $3::bigint
  on conflict (account_id, day) do update
  set minutes = used.minutes + 1, spend_micros = used.spend_micros + excluded.spend_micros
  where ($4::integer is null or used.minutes < $4) and ($5 is null or used.spend_micros + excluded.spend_micros <= $5)`

const TAKE_ATTEMPT = `
  insert into line_attempts as made (account_id, phone_number, day, attempts) values ($1, $2, $3::date, 1)
  on conflict (account_id, phone_number, day) do update set attempts = made.attempts + 1 where made.attempts < $4`

const GIVE_MINUTES_BACK = `
  update line_use set minutes = greatest(0, minutes - $3), spend_micros = greatest(0, spend_micros - $4::bigint)
  where account_id = $1 and day = $2::date`

const GIVE_ATTEMPT_BACK = `
  update line_attempts set attempts = attempts - 1
  where account_id = $1 and phone_number = $2 and day = $3::date and attempts > 0`

const READ = `
  select coalesce(sum(minutes), 0)::float8 as minutes, coalesce(sum(spend_micros), 0)::float8 as spend_micros
  from line_use where account_id = $1 and day = $2::date`

const READ_ATTEMPTS = `
  select attempts from line_attempts where account_id = $1 and phone_number = $2 and day = $3::date`

interface Use {
  minutes: number
  spend_micros: number
}

/** Takes back what the same transaction took. */
class CapReachedError extends Error {
  override readonly name = 'CapReachedError'
  readonly cap: Cap
  constructor(cap: Cap) {
    super(`The cap of ${cap} is reached`)
    this.cap = cap
  }
}

export interface LineCapsOptions {
  pool: Pool
  clock: Clock
  routes: CarrierRoutes
  /** Undefined if nothing is limited, and so nothing counted. */
  caps: CapsEntry | undefined
  capped: { add(labels: { state: CappedAt; reason: Cap }): void }
}

export class StoredLineCaps implements LineCaps {
  readonly #pool: Pool
  readonly #clock: Clock
  readonly #routes: CarrierRoutes
  readonly #caps: CapsEntry | undefined
  readonly #capped: LineCapsOptions['capped']

  constructor({ pool, clock, routes, caps, capped }: LineCapsOptions) {
    this.#pool = pool
    this.#clock = clock
    this.#routes = routes
    this.#caps = caps
    this.#capped = capped
  }

  isCounted(carrier: string): boolean {
    return this.#caps !== undefined && !isSimulator(carrier)
  }

  async findReached(client: Queryable, call: CappedCall, dueAt: Date): Promise<Cap | null> {
    if (!this.isCounted(call.carrier) || dayOf(dueAt.getTime()) > this.#today()) return null
    const { attemptsPerNumber } = this.#capsOf(call.accountId)
    if (attemptsPerNumber !== null) {
      const key = [call.accountId, call.to, this.#today()]
      const { rows } = await client.query<{ attempts: number }>(READ_ATTEMPTS, key)
      if ((rows[0]?.attempts ?? 0) >= attemptsPerNumber) return this.#count('placement', 'attempts')
    }
    const full = await this.#findFull(client, call)
    return full && this.#count('placement', full)
  }

  async take(call: CappedCall): Promise<Charge | Cap> {
    const charge = { call, micros: priceOf(this.#routes, call), day: this.#today(), minutes: [] }
    try {
      await inTransaction(this.#pool, async (client) => {
        await this.#takeAttempt(client, charge)
        await this.#takeMinute(client, charge)
      })
      return charge
    } catch (error) {
      if (error instanceof CapReachedError) return this.#count('dial', error.cap)
      throw error
    }
  }

  async extend(charge: Charge): Promise<Cap | null> {
    try {
      await this.#takeMinute(this.#pool, charge)
      return null
    } catch (error) {
      if (error instanceof CapReachedError) return this.#count('talk', error.cap)
      throw error
    }
  }

  async settle(charge: Charge, used: { minutes: number; attempted: boolean }): Promise<void> {
    const { call, micros, day, minutes } = charge
    const unused = countEach(minutes.slice(used.minutes))
    if (unused.size === 0 && used.attempted) return
    await inTransaction(this.#pool, async (client) => {
      if (!used.attempted) await client.query(GIVE_ATTEMPT_BACK, [call.accountId, call.to, day])
      for (const [of, count] of unused)
        await client.query(GIVE_MINUTES_BACK, [call.accountId, of, count, count * micros])
    })
  }

  async read(accountId: string): Promise<LimitUse['caps']> {
    const { minutes, spendMicros, attemptsPerNumber } = this.#capsOf(accountId)
    if (minutes === null && spendMicros === null && attemptsPerNumber === null) return []
    const used = await this.#readUse(this.#pool, accountId)
    const reset_seconds = Math.ceil((DAY_MS - (this.#clock.nowMs() % DAY_MS)) / 1000)
    const uses: LimitUse['caps'] = []
    if (minutes !== null)
      uses.push({ name: 'line_minutes', limit: minutes, used: used.minutes, reset_seconds })
    if (spendMicros !== null)
      uses.push({
        name: 'line_spend',
        ...(this.#caps?.currency !== undefined && { currency: this.#caps.currency }),
        limit: toUnits(spendMicros),
        used: toUnits(used.spend_micros),
        reset_seconds,
      })
    if (attemptsPerNumber !== null)
      uses.push({ name: 'attempts_per_number', limit: attemptsPerNumber, used: null, reset_seconds })
    return uses
  }

  #capsOf(accountId: string): AccountCaps {
    return this.#caps === undefined ? NO_CAPS : capsOf(this.#caps, accountId)
  }

  #count(state: CappedAt, reason: Cap): Cap {
    this.#capped.add({ state, reason })
    return reason
  }

  #today(): string {
    return dayOf(this.#clock.nowMs())
  }

  async #readUse(client: Queryable, accountId: string): Promise<Use> {
    const { rows } = await client.query<Use>(READ, [accountId, this.#today()])
    return rows[0] ?? { minutes: 0, spend_micros: 0 }
  }

  /** Returns the cap without room for one more minute. */
  async #findFull(client: Queryable, call: CappedCall): Promise<Cap | null> {
    const { minutes, spendMicros } = this.#capsOf(call.accountId)
    if (minutes === null && spendMicros === null) return null
    const used = await this.#readUse(client, call.accountId)
    if (minutes !== null && used.minutes >= minutes) return 'minutes'
    const isOver = spendMicros !== null && used.spend_micros + priceOf(this.#routes, call) > spendMicros
    return isOver ? 'spend' : null
  }

  /** @throws CapReachedError */
  async #takeMinute(client: Queryable, { call, micros, minutes: taken }: Charge): Promise<void> {
    const { minutes, spendMicros } = this.#capsOf(call.accountId)
    const day = this.#today()
    const { rowCount } = await client.query(TAKE_MINUTE, [call.accountId, day, micros, minutes, spendMicros])
    if (rowCount === 0) throw new CapReachedError((await this.#findFull(client, call)) ?? 'minutes')
    taken.push(day)
  }

  /** @throws CapReachedError */
  async #takeAttempt(client: Queryable, { call: { accountId, to }, day }: Charge): Promise<void> {
    const { attemptsPerNumber } = this.#capsOf(accountId)
    if (attemptsPerNumber === null) return
    const { rowCount } = await client.query(TAKE_ATTEMPT, [accountId, to, day, attemptsPerNumber])
    if (rowCount === 0) throw new CapReachedError('attempts')
  }
}

const NO_CAPS: AccountCaps = { minutes: null, spendMicros: null, attemptsPerNumber: null }

function countEach(days: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1)
  return counts
}

/** Rows that a sweep deletes at once. */
const BATCH = 1000

/** Deletes what was used before yesterday. */
export async function sweepLineUse({ pool, clock }: Pick<LineCapsOptions, 'pool' | 'clock'>): Promise<void> {
  const before = dayOf(clock.nowMs() - DAY_MS)
  for (const table of ['line_use', 'line_attempts'])
    for (let deleted = BATCH; deleted === BATCH;) {
      const { rowCount } = await pool.query(
        `delete from ${table} where ctid = any (array(select ctid from ${table} where day < $1::date order by day limit ${BATCH}))`,
        [before],
      )
      deleted = rowCount ?? 0
    }
}
