import type { Db } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import type { UsageCursor } from './cursor.ts'

/** What is counted for a model. */
export interface Counts {
  requests: number
  requests_without_usage: number
  prompt_tokens: number
  completion_tokens: number
}

/** Counts of an account in one mode, for a model on a day in UTC. */
export interface UsageRow extends Counts, UsageCursor {
  tenant: Tenant
}

export interface UsageStore {
  /** Adds counts to what is stored, in one statement. Those of accounts that are gone are dropped. */
  add(rows: readonly UsageRow[]): Promise<void>
  /** Lists the newest day first, and each day by model. */
  list(
    tenant: Tenant,
    query: {
      from?: string | undefined
      to?: string | undefined
      model?: string | undefined
      after?: UsageCursor
      limit: number
    },
  ): Promise<(Counts & UsageCursor)[]>
}

export function createUsageStore(database: Db): UsageStore {
  return {
    async add(rows) {
      // In one order, so that processes that write at the same time do not lock each other out.
      const sorted = rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
      const column = <Value>(read: (row: UsageRow) => Value): Value[] => sorted.map(read)
      await sql`
        insert into model_usage (account_id, livemode, day, model, requests, requests_without_usage, prompt_tokens, completion_tokens)
        select added.* from unnest(
          ${column(({ tenant }) => tenant.accountId)}::text[],
          ${column(({ tenant }) => tenant.livemode)}::boolean[],
          ${column(({ day }) => day)}::date[],
          ${column(({ model }) => model)}::text[],
          ${column(({ requests }) => requests)}::bigint[],
          ${column((row) => row.requests_without_usage)}::bigint[],
          ${column((row) => row.prompt_tokens)}::bigint[],
          ${column((row) => row.completion_tokens)}::bigint[]
        ) as added (account_id)
        where exists (select from accounts where accounts.account_id = added.account_id)
        on conflict (account_id, livemode, day, model) do update set
          requests = model_usage.requests + excluded.requests,
          requests_without_usage = model_usage.requests_without_usage + excluded.requests_without_usage,
          prompt_tokens = model_usage.prompt_tokens + excluded.prompt_tokens,
          completion_tokens = model_usage.completion_tokens + excluded.completion_tokens
      `.execute(database)
    },
    async list({ accountId, livemode }, { from, to, model, after, limit }) {
      const { day, model: afterModel } = after ?? { day: null, model: null }
      const { rows } = await sql<Record<keyof Counts, string> & UsageCursor>`
        select day::text, model, requests, requests_without_usage, prompt_tokens, completion_tokens
        from model_usage
        where account_id = ${accountId} and livemode = ${livemode}
          and (${from ?? null}::date is null or day >= ${from ?? null}::date)
          and (${to ?? null}::date is null or day <= ${to ?? null}::date)
          and (${model ?? null}::text is null or model = ${model ?? null}::text)
          and (${day}::date is null or day < ${day}::date or (day = ${day}::date and model > ${afterModel}::text))
        order by model_usage.day desc, model
        limit ${limit}
      `.execute(database)
      return rows.map((row) => ({
        day: row.day,
        model: row.model,
        requests: Number(row.requests),
        requests_without_usage: Number(row.requests_without_usage),
        prompt_tokens: Number(row.prompt_tokens),
        completion_tokens: Number(row.completion_tokens),
      }))
    },
  }
}

const keyOf = ({ tenant, day, model }: UsageRow): string =>
  `${tenant.accountId} ${tenant.livemode} ${day} ${model}`
