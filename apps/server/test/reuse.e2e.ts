import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Id, Verification } from '@vaani/contracts'
import { sql } from 'kysely'
import { runTool } from '@vaani/test-services/run-tool'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findReuse, keepDigests, type Reuse } from '../src/features/identity/reuse.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { untilDecided } from './support/until-decided.ts'

const PASSPORT = path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens/passport.jpg')

let server: TestServer
let folder: string
let key: string
let accountId: Id<'account'>

/** Runs ffmpeg, and returns its output file in base64. */
async function make(name: string, ...options: string[]): Promise<string> {
  const file = path.join(folder, name)
  runTool('ffmpeg', ['-y', ...options, file])
  return (await readFile(file)).toString('base64')
}
const draw = (source: string) => ['-f', 'lavfi', '-i', source]
/** A video that no other has the bytes of. */
const film = (frame: number) =>
  make(
    'film.mp4',
    ...draw('testsrc2=size=160x120:rate=10:duration=9'),
    ...`-vf trim=start_frame=${frame},setpts=PTS-STARTPTS -t 4 -c:v libx264 -pix_fmt yuv420p`.split(' '),
  )
const picture = (quality: number) =>
  make('picture.jpg', ...draw('testsrc2=size=320x240'), '-frames:v', '1', '-q:v', `${quality}`)
const passport = (quality: number) => make('passport.jpg', '-i', PASSPORT, '-q:v', `${quality}`)

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-reuse-'))
  server = await startTestServer({ config: { identityPolicy: 'document-only' } })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  if (folder !== undefined) await rm(folder, { recursive: true })
})
beforeEach(async () => {
  ;({ key, accountId } = await server.createAccount())
})

/** Submits media and returns the codes of its reasons, once it is decided. */
async function codesOf(request: object): Promise<string[]> {
  const sent = await server.json<Verification>('/identity/kyc/v2', { key, body: request })
  expect(sent.status).toBe(200)
  const decided = await untilDecided(
    async (route) => (await server.json<{ data: Verification[] }>(route, { key })).body,
    sent.body.verification_id,
  )
  return (decided.reasons ?? []).map(({ code }) => code)
}

async function countDigests(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from media_fingerprints where account_id = ${accountId}`.execute(
    server.context.database,
  )
  return rows[0]?.count ?? Number.NaN
}

const untilOneWaits = () =>
  until(
    async () => {
      const { rows } = await sql`
        select from pg_locks join pg_database on pg_database.oid = database
        where datname = current_database() and locktype = 'advisory' and not granted`.execute(
        server.context.database,
      )
      return rows.length
    },
    (waiting) => waiting > 0,
  )

describe('what was submitted before', { tags: 'ffmpeg' }, () => {
  // Usually `identity.e2e.ts` has one document from two subjects.
  thorough({ usual: test.skip, long: test })(
    'is detected by the number of the document, for another subject only, and erased with the subject',
    async () => {
      const [first, again, other] = [await film(0), await film(3), await film(6)]
      const original = { front_image_b64: await passport(2), liveness_video_b64: first }
      expect(await codesOf({ ...original, external_id: 'one' })).toEqual([])
      const same = { front_image_b64: await passport(4), liveness_video_b64: again }
      const stolen = { front_image_b64: await passport(5), liveness_video_b64: other }
      expect(await codesOf({ ...same, external_id: 'one' })).toEqual([])
      expect(await codesOf({ ...stolen, external_id: 'two' })).toEqual(['document_reused'])
      // Two files, a number and 16 parts of a likeness each.
      expect(await countDigests()).toBe(3 * 19)
      for (const subject of ['one', 'two'])
        expect((await server.json(`/identity/subjects/${subject}`, { key, method: 'DELETE' })).status).toBe(
          204,
        )
      expect(await countDigests()).toBe(0)
    },
  )

  test('is detected by the media without an external id, and by the likeness of a picture', async () => {
    const media = { front_image_b64: await picture(2), liveness_video_b64: await film(0) }
    expect(await codesOf(media)).not.toContain('media_reused')
    expect(await codesOf(media)).toContain('media_reused')
    const encodedAgain = { front_image_b64: await picture(6), liveness_video_b64: await film(3) }
    expect(await codesOf({ ...encodedAgain, external_id: 'somebody' })).toContain('media_resembles')
    const another = await make('bars.jpg', ...draw('mandelbrot=size=320x240'), '-frames:v', '1')
    expect(
      (await codesOf({ front_image_b64: another, liveness_video_b64: await film(6) })).filter((code) =>
        code.startsWith('media_'),
      ),
    ).toEqual([])
    // Of two files, and 16 parts of a likeness.
    const before = await countDigests()
    await server.json('/identity/subjects/somebody', { key, method: 'DELETE' })
    expect(await countDigests()).toBe(before - 18)
  })

  test('is one picture as both sides of a document, however it is encoded', async () => {
    const media = { front_image_b64: await picture(2), liveness_video_b64: await film(0) }
    expect(await codesOf({ ...media, back_image_b64: await picture(7) })).toContain('sides_identical')
  })

  test('is detected in one of two verifications that are decided at once', async () => {
    const { database } = server.context
    const document = Buffer.alloc(32, 5)
    const digests = { document, likeness: [] }
    const submitted = (name: string) => ({
      account_id: accountId,
      livemode: true,
      verification_id: `ver_${accountId}_${name}`,
      external_id: name,
    })
    const decideOf = (name: string, meanwhile: () => Promise<unknown>) =>
      database.transaction().execute(async (tx) => {
        const reuse = await findReuse(tx, submitted(name), digests)
        await meanwhile()
        await keepDigests(tx, submitted(name), digests)
        return reuse
      })
    let second: Promise<Reuse | null> | undefined
    const first = decideOf('one', () => {
      second = decideOf('two', async () => undefined)
      return untilOneWaits()
    })
    expect([await first, await second]).toEqual([
      null,
      { code: 'document_reused', earlier: submitted('one').verification_id },
    ])
  })
})
