import pg from 'pg'

/** A statement that this process has sent to Postgres, and a node of its plan that reads a table or index whole. */
export interface Scan {
  /** Empty where a bitmap is made of an index. */
  relation: string
  /** The index that is read, or null for the table itself. */
  index: string | null
  text: string
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Schema?: string
  Filter?: string
  Plans?: Plan[]
}

export interface PlanWatch extends Disposable {
  /** Statements whose plans were looked at. */
  readonly texts: ReadonlySet<string>
  /** Resolves once every statement so far was looked at. */
  scans(): Promise<Scan[]>
}

/** With other parameters a statement may have another plan. */
const PLANS_OF_EACH = 4
const EXPLAINED = /^\s*(select|insert|update|delete|with)\b/i

/**
 * Has Postgres explain each statement that this process sends, just before it runs, on the same connection: with its parameters,
 * and with the planner's settings of the moment. One that begins with a comment is left alone.
 */
export function watchPlans(): PlanWatch {
  const original = pg.Client.prototype.query
  const counts = new Map<string, number>()
  const looking: Promise<Scan[]>[] = []

  function explain(client: pg.Client, text: string, values: unknown[]): void {
    const count = counts.get(text) ?? 0
    if (!EXPLAINED.test(text) || count >= PLANS_OF_EACH) return
    counts.set(text, count + 1)
    const answer = Reflect.apply(original, client, [
      { text: `explain (format json, verbose) ${text}`, values },
    ]) as Promise<pg.QueryResult<{ 'QUERY PLAN': [{ Plan: Plan }] }>>
    looking.push(
      answer.then(({ rows }) => {
        const plan = rows[0]?.['QUERY PLAN'][0].Plan
        return plan ? scansOf(plan, false).map((scan) => ({ ...scan, text })) : []
      }),
    )
    // It is reported by `scans`.
    answer.catch(() => undefined)
  }

  function query(this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args
    const { text, values } = (typeof first === 'string' ? { text: first } : first) as Partial<pg.QueryConfig>
    const given = values ?? (Array.isArray(second) ? second : [])
    if (typeof text === 'string') explain(this, text, given)
    return Reflect.apply(original, this, args)
  }
  pg.Client.prototype.query = query as typeof original
  return {
    get texts() {
      return new Set(counts.keys())
    },
    scans: async () => (await Promise.all(looking)).flat(),
    [Symbol.dispose]() {
      pg.Client.prototype.query = original
    },
  }
}

/** Schemas that are not ours: the job engine's, and Postgres' own. */
const OTHERS = ['pgboss', 'pg_catalog', 'information_schema']
const INDEX_SCANS = ['Index Scan', 'Index Only Scan', 'Bitmap Index Scan']
/** These read all before they give the first row. */
const BLOCKING = ['Sort', 'Hash', 'Aggregate', 'ModifyTable']

const isBounded = (condition: string) =>
  /[^<>]= /.test(condition) || (condition.includes('<') && condition.includes('>'))

/**
 * Nodes that neither an equality nor a range with two ends bounds, so that they read more the more there is. With a limit above and no filter, a scan ends after the
 * rows that are wanted; with a filter, after all rows that are not.
 */
function scansOf(plan: Plan, isLimited: boolean): Omit<Scan, 'text'>[] {
  const type = plan['Node Type']
  const isScan = type === 'Seq Scan' || (INDEX_SCANS.includes(type) && !isBounded(plan['Index Cond'] ?? ''))
  const ends = isLimited && plan.Filter === undefined
  const passesLimit = type === 'Limit' || (isLimited && !BLOCKING.includes(type))
  const own =
    isScan && !ends && !OTHERS.includes(plan.Schema ?? '')
      ? [{ relation: plan['Relation Name'] ?? '', index: plan['Index Name'] ?? null }]
      : []
  return [...own, ...(plan.Plans ?? []).flatMap((part) => scansOf(part, passesLimit))]
}
