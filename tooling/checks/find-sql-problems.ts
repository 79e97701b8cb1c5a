import path from 'node:path'

/** A source of a service, with its path relative to the root. */
export interface SourceText {
  readonly file: string
  readonly text: string
}

/** `accounts` and `api_keys` are below all features: any may read them, and `admin` administers them. */
const SHARED_READERS = /^(?:selectFrom|innerJoin|leftJoin|from|join)$/
const ADMINISTERS = /\/features\/admin\//
/** Tables named by the query builder, and by SQL text. */
const NAMED =
  /\b(selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin)\(\s*'(\w+)|\b(from|join|into|update|using) (\w+)\b/g
const STATEMENT =
  /\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(?:<[^>]*>)?`|\bpool\.query\b|\bclient\.query\b/
const CONSTRAINT = /\berror\.constraint\b|'constraint' in /

/** Finds SQL where it does not belong: on a table of another feature, in a route, and names of constraints outside a store. */
export function findSqlProblems(sources: readonly SourceText[]): string[] {
  const owners = new Map(sources.flatMap(tablesOf))
  return sources
    .filter(({ file }) => !/\/migrations\/|\.test\.ts$/.test(file))
    .flatMap(({ file, text }) => [...foreignTables(file, text, owners), ...misplaced(file, text)])
}

/** Returns the tables that a `tables.ts` declares, each with the folder that owns it. */
function tablesOf({ file, text }: SourceText): [table: string, owner: string][] {
  if (path.basename(file) !== 'tables.ts') return []
  const [, declared = ''] = /interface Tables \{([^}]*)\}/.exec(text) ?? []
  return [...declared.matchAll(/(\w+): \w+/g)].map(([, table = '']) => [table, path.dirname(file)])
}

function foreignTables(file: string, text: string, owners: ReadonlyMap<string, string>): string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$|^import .*$/gm, '')
  const found = new Set<string>()
  for (const [, call, built, word, written] of code.matchAll(NAMED)) {
    const table = built ?? written ?? ''
    const owner = owners.get(table)
    if (owner === undefined || file.startsWith(`${owner}/`)) continue
    const isShared = !owner.includes('/features/')
    const isRead = SHARED_READERS.test(call ?? word ?? '')
    if (isShared && (isRead || ADMINISTERS.test(file))) continue
    if (appOf(file) === appOf(owner)) found.add(`${file}: uses the table ${table} of ${owner}; ask its port`)
  }
  return [...found]
}

const appOf = (file: string): string => file.split('/').slice(0, 2).join('/')

function misplaced(file: string, text: string): string[] {
  if (!/\/routes\//.test(file)) return []
  return [
    ...(STATEMENT.test(text) ? [`${file}: has SQL; move it to a store beside the routes`] : []),
    ...(CONSTRAINT.test(text)
      ? [`${file}: knows the name of a constraint; let the store say what it means`]
      : []),
  ]
}
