import { createHash } from 'node:crypto'
import type { Id } from '@vaani/contracts'
import { byIndex } from '@vaani/service-kit/database/by-index'
import { createDatabase, type Db } from '@vaani/service-kit/database/connect'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DocumentDigests, findReuse } from '../src/features/identity/reuse.ts'
import { openPool } from './support/open-pool.ts'
import { countRowsRead, turnOffAutovacuum } from './support/rows-read.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const ROWS = 5000
/** Most rows that a comparison may read, of any history. */
const MOST_READ = 3200

let server: TestServer
/** Has a single connection, whose counts of rows read are flushed at once. */
let pool: Pool
let database: Db
let accountId: Id<'account'>

beforeAll(async () => {
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  ;({ accountId } = await server.createAccount())
  pool = openPool(server.databaseUrl, 1)
  database = createDatabase(pool)
  await turnOffAutovacuum(pool, ['media_fingerprints'])
  // A history that has nothing to do with what is compared.
  await insert('other', `sha256(('other ' || n)::bytea)`, `'person ' || n`)
})
afterAll(async () => {
  await database.destroy()
  await server[Symbol.asyncDispose]()
})

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
const partsOf = (name: string): Buffer[] =>
  Array.from({ length: 16 }, (_, index) => digestOf(`${name} ${index}`))

/** Inserts one digest for each of many verifications, by expressions of their number `n`. */
const insert = (name: string, digest: string, externalId: string, livemode = true) =>
  pool.query(
    `insert into media_fingerprints (account_id, livemode, fingerprint, verification_id, external_id)
     select $1, $2, ${digest}, 'ver_${name}_' || lpad(n::text, 8, '0'), ${externalId}
     from generate_series(1, ${ROWS}) n`,
    [accountId, livemode],
  )
const insertAll = async (
  name: string,
  digests: readonly Buffer[],
  externalId: string,
  livemode?: boolean,
) => {
  for (const digest of digests)
    await insert(name, `'\\x${digest.toString('hex')}'::bytea`, externalId, livemode)
}

/** Compares a submission, and returns the result and the number of rows that this read. */
async function compare(
  subject: string | null,
  { media = [], ...digests }: Partial<DocumentDigests> & { media?: readonly Buffer[] },
) {
  const row = {
    account_id: accountId,
    livemode: true,
    verification_id: 'ver_new',
    external_id: subject,
  }
  for (const fingerprint of media)
    await database
      .insertInto('media_fingerprints')
      .values({ ...row, fingerprint })
      .execute()
  const before = await countRowsRead(pool, ['media_fingerprints'])
  const reuse = await byIndex(database, (tx) =>
    findReuse(tx, row, { document: null, likeness: [], ...digests }),
  )
  const read = (await countRowsRead(pool, ['media_fingerprints'])) - before
  await database.deleteFrom('media_fingerprints').where('verification_id', '=', 'ver_new').execute()
  return { reuse: reuse?.code ?? null, isBounded: read <= MOST_READ, read }
}

test.each(['without statistics', 'with statistics'])(
  'the cost of a comparison is bounded, %s',
  async (how) => {
    if (how === 'with statistics') await pool.query('analyze media_fingerprints')
    const nothing = { reuse: null, isBounded: true }
    const likeness = partsOf('new')
    expect(await compare('one', { media: [digestOf('a'), digestOf('b')], likeness })).toMatchObject(nothing)
  },
)

test('media and a document that one person sent very often cost no more, and are found of another', async () => {
  const [media, document] = [digestOf('often sent'), digestOf('often read')]
  await insertAll('often', [media, document], `'often'`)
  const same = await compare('often', { media: [media], document })
  expect(same).toMatchObject({ reuse: null, isBounded: true })
  const other = await compare('other', { media: [media], document })
  expect(other).toMatchObject({ reuse: 'media_reused', isBounded: true })
  expect(await compare('other', { document })).toMatchObject({ reuse: 'document_reused', isBounded: true })
  await insert('once', `'\\x${media.toString('hex')}'::bytea`, `case when n = 7 then 'once' else 'often' end`)
  expect(await compare('often', { media: [media] })).toMatchObject({ reuse: 'media_reused', isBounded: true })
})

test('what was often sent in test mode costs nothing in live mode', async () => {
  const digests = [digestOf('tested'), ...partsOf('tested')]
  await insertAll('tested', digests, `'person ' || n`, false)
  const [media, ...likeness] = digests
  const found = await compare('one', { ...(media && { media: [media] }), likeness })
  expect(found).toMatchObject({ reuse: null, isBounded: true })
})

test('a picture that thousands look like is found, of another person only', async () => {
  const likeness = partsOf('blank')
  await insertAll('blank', likeness, `'person ' || n`)
  for (const subject of ['somebody', 'person 7', null])
    expect(await compare(subject, { likeness })).toMatchObject({ reuse: 'media_resembles', isBounded: true })
  const own = partsOf('own')
  await insertAll('own', own, `'me'`)
  expect(await compare('me', { likeness: own })).toMatchObject({ reuse: null, isBounded: true })
  // Without external ids, nobody can tell.
  const nameless = partsOf('nameless')
  await insertAll('nameless', nameless, 'null')
  expect(await compare('me', { likeness: nameless })).toMatchObject({
    reuse: 'media_resembles',
    isBounded: true,
  })
})

test('parts that thousands have in common hide no picture that has more of them, and cost no more', async () => {
  const [common, rare] = [partsOf('common').slice(0, 4), partsOf('rare').slice(4)]
  await insertAll('common', common, `'person ' || n`)
  expect(await compare('one', { likeness: [...common, ...rare] })).toMatchObject({
    reuse: null,
    isBounded: true,
  })
  for (const fingerprint of rare.slice(0, 5))
    await database
      .insertInto('media_fingerprints')
      .values({
        account_id: accountId,
        livemode: true,
        fingerprint,
        verification_id: 'ver_rare',
        external_id: 'rare',
      })
      .execute()
  expect(await compare('one', { likeness: [...common, ...rare] })).toMatchObject({
    reuse: 'media_resembles',
    isBounded: true,
  })
})
