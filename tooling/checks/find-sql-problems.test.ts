import { expect, it } from 'vitest'
import { findSqlProblems } from './find-sql-problems.ts'

const tables = (folder: string, name: string) => ({
  file: `apps/server/src/${folder}/tables.ts`,
  text: `declare module 'x' {\n  interface Tables {\n    ${name}: SomeTable\n  }\n}`,
})
const OWNERS = [tables('features/calls', 'calls'), tables('tenancy', 'accounts')]
const find = (file: string, text: string) =>
  findSqlProblems([...OWNERS, { file: `apps/server/src/${file}`, text }])

it.each([
  "database.selectFrom('calls').selectAll()",
  'const READ = `select * from calls where true`',
  "tx.updateTable('calls').set(row)",
])('refuses %s in another feature', (text) => {
  expect(find('features/agents/store.ts', text)).toEqual([
    'apps/server/src/features/agents/store.ts: uses the table calls of apps/server/src/features/calls; ask its port',
  ])
  expect(find('features/calls/store.ts', text)).toEqual([])
})

it('lets every feature read the accounts, and only admin change them', () => {
  expect(find('features/calls/store.ts', 'const READ = `select from accounts`')).toEqual([])
  expect(find('features/admin/first.ts', "tx.insertInto('accounts')")).toEqual([])
  expect(find('features/calls/store.ts', "tx.updateTable('accounts')")).toHaveLength(1)
})

it('refuses statements and constraints in routes, and takes no word of a comment for one', () => {
  expect(find('features/calls/routes/a.ts', "database.selectFrom('calls')")).toHaveLength(1)
  expect(find('features/calls/routes/a.ts', "error.constraint === 'calls_agent'")).toHaveLength(1)
  expect(find('features/agents/store.ts', '// Reads come from calls that ended\nconst one = 1')).toEqual([])
})
