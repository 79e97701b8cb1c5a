import pg from 'pg'

/** A statement that this process sent to Postgres, and a plan node that reads an unbounded part of a table or index. */
export interface Scan {
  /** Empty for a bitmap index scan. */
  relation: string
  /** The index read, or null for the table itself. */
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
  /** Statements whose plans were examined. */
  readonly texts: ReadonlySet<string>
  /** Resolves once every statement so far has been examined. */
  scans(): Promise<Scan[]>
}

/** A statement is explained several times because its plan may depend on the parameters. */
const PLANS_OF_EACH = 4
const EXPLAINED = /^\s*(select|insert|update|delete|with)\b/i

/**
 * Has Postgres explain each statement that this process sends, just before it runs, on the same connection, so with its
 * parameters and the current planner settings. Statements that begin with a comment are not explained.
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
    // `scans` reports the rejection.
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

/** Schemas of Postgres itself. */
const OTHERS = ['pg_catalog', 'information_schema']
const INDEX_SCANS = ['Index Scan', 'Index Only Scan', 'Bitmap Index Scan']
/** Nodes that read all their input before they return the first row. */
const BLOCKING = ['Sort', 'Hash', 'Aggregate', 'ModifyTable']

const isBounded = (condition: string) =>
  /[^<>]= /.test(condition) || (condition.includes('<') && condition.includes('>'))

/**
 * Finds scans that neither an equality nor a two-sided range bounds, so their cost grows with the table. Under a limit, a scan
 * without a filter stops after the wanted rows and is fine; with a filter, it may read every row that does not match.
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
