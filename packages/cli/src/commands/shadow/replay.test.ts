import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EXIT_CODES } from '../../failure/exit-codes.ts'
import { migration, type Received, refuse, startTestWorker } from '../../test/migration-worker.ts'
import { run } from '../../test/run.ts'

let base: string
let folder: string
beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'vaani-replay-'))
  folder = path.join(base, 'stored')
  await mkdir(folder)
  for (const name of ['front', 'back', 'video', 'other'])
    await writeFile(path.join(folder, name), `bytes of ${name}`)
})
afterEach(() => rm(base, { recursive: true }))

const FILES = { front_image: 'front', back_image: 'back', liveness_video: 'video' }
const writeManifest = (...lines: readonly (object | string)[]) =>
  writeFile(
    path.join(folder, 'manifest.jsonl'),
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  )
const SUBMIT = 'POST /migration/submissions'
/** Starts a worker that answers what is submitted. */
async function startReplayed(
  answer: (received: Received) => Response | Promise<Response>,
  state = migration('shadow-100'),
) {
  const worker = await startTestWorker((received) =>
    received.request === SUBMIT ? answer(received) : Response.json(state),
  )
  return { ...worker, submitted: () => worker.received.filter(({ request }) => request === SUBMIT) }
}
const accept = () => Response.json({ pair_id: 'pair_1', sampled: true }, { status: 202 })

test('sends each submission with its ids, and prints counts', async () => {
  await writeManifest({ ...FILES, external_id: 'user-7', verification_id: 'ver_1', answered_by: 'v1' }, '', {
    ...FILES,
    external_id: 'user-8',
  })
  await using worker = await startReplayed(({ form }) =>
    form?.get('external_id') === 'user-7'
      ? accept()
      : Response.json({ pair_id: null, sampled: false }, { status: 202 }),
  )
  const { code, stdout } = await run(['shadow', 'replay', folder, '--concurrency', '1'], worker)
  expect({ code, stdout: stdout.split(/\s+/) }).toEqual({
    code: 0,
    stdout: ['lines', '2', 'sampled', '1', 'not_sampled', '1', 'refused', '0', ''],
  })
  const form = worker.submitted()[0]?.form
  expect(['external_id', 'verification_id', 'answered_by'].map((name) => form?.get(name))).toEqual([
    'user-7',
    'ver_1',
    'v1',
  ])
  const file = form?.get('liveness_video')
  expect(file instanceof File && (await file.text())).toBe('bytes of video')
})

test('a manifest may begin with a byte order mark', async () => {
  await writeManifest(`\ufeff${JSON.stringify({ ...FILES, external_id: 'user-7' })}`)
  await using worker = await startReplayed(accept)
  expect(await run(['shadow', 'replay', folder], worker)).toMatchObject({ code: 0, stderr: '' })
  expect(worker.submitted()[0]?.form?.get('external_id')).toBe('user-7')
})

test('null in a manifest counts as absent', async () => {
  await writeManifest(
    { ...FILES, external_id: null, verification_id: null, answered_by: null },
    { ...FILES, back_image: null },
    { ...FILES, callback_url: null },
  )
  await using worker = await startReplayed(accept)
  const { stderr } = await run(['shadow', 'replay', folder, '--concurrency', '1'], worker)
  expect(stderr).toMatch(/^line 2: back_image is missing\nline 3: only these fields are allowed/)
  expect([...(worker.submitted()[0]?.form?.keys() ?? [])].toSorted()).toEqual(Object.keys(FILES).toSorted())
})

test('sends no other file of the machine', async () => {
  await writeFile(path.join(base, 'secret'), 'secret')
  await symlink(path.join(base, 'secret'), path.join(folder, 'link'))
  await mkdir(path.join(base, 'stored-beside'))
  await writeFile(path.join(base, 'stored-beside', 'file'), 'secret')
  const paths = ['../secret', 'link', path.join(base, 'secret'), '../stored-beside/file', '.', '', 'none']
  await writeManifest(...paths.map((front_image) => ({ ...FILES, front_image })))
  await using worker = await startReplayed(accept)
  const { code, stdout, stderr } = await run(['shadow', 'replay', folder, '--json'], worker)
  expect(code).toBe(EXIT_CODES.rejected)
  expect(stdout.trimEnd().split('\n')).toHaveLength(paths.length)
  expect(stdout + stderr).not.toContain('secret')
  expect(worker.submitted()).toEqual([])
})

test('continues after a refused line, and says which it was', async () => {
  await writeManifest(
    '{',
    { ...FILES, callback_url: 'https://example.com' },
    { ...FILES, answered_by: 'v3' },
    [],
    {
      front_image: 'front',
      liveness_video: 'video',
    },
    { ...FILES, external_id: 'refused' },
    { ...FILES, external_id: 'fine' },
  )
  await using worker = await startReplayed(({ form }) =>
    form?.get('external_id') === 'refused' ? refuse(422, 'media_unreadable') : accept(),
  )
  const { code, stdout, stderr } = await run(['shadow', 'replay', folder, '--concurrency', '1'], worker)
  expect(code).toBe(EXIT_CODES.rejected)
  expect(stdout).toMatch(/sampled +1\n/)
  expect(stderr.trimEnd().split('\n')).toEqual([
    'line 1: the line is not JSON',
    expect.stringMatching(/^line 2: only these fields are allowed/),
    'line 3: answered_by must be v1 or v2',
    'line 4: the line is not a JSON object',
    'line 5: back_image is missing',
    expect.stringMatching(/^line 6: migration\.submit: 422 media_unreadable/),
    'vaani: 6 of 7 lines were refused',
  ])
})

test('a repeated run has the same keys, and another submission another one', async () => {
  await writeManifest(
    { ...FILES, external_id: 'a' },
    { ...FILES, external_id: 'b' },
    { ...FILES, back_image: 'other' },
  )
  await using worker = await startReplayed(accept)
  const line = ['shadow', 'replay', folder, '--concurrency', '1']
  await run(line, worker)
  await run(line, worker)
  const keys = worker.submitted().map(({ idempotencyKey }) => idempotencyKey)
  expect(keys.slice(3)).toEqual(keys.slice(0, 3))
  expect(new Set(keys)).toHaveProperty('size', 3)
  // New evidence counts the same submissions anew.
  const state = { ...migration('shadow-100'), evidence_since: '2026-11-23T00:00:00Z' }
  await using later = await startReplayed(accept, state)
  await run(line, later)
  expect(keys).not.toContain(later.submitted()[0]?.idempotencyKey)
})

test('reads no file if the worker refuses the key', async () => {
  await writeManifest(FILES)
  await using worker = await startReplayed(accept)
  const variables = { ...worker.variables, VAANI_SHADOW_API_KEY: 'sk_live_wrong' }
  expect(await run(['shadow', 'replay', folder], { variables })).toMatchObject({ code: EXIT_CODES.access })
  expect(worker.submitted()).toEqual([])
})

test('stops if the rest would fail as well', async () => {
  await writeManifest(
    ...Array.from({ length: 50 }, (_, index) => ({ ...FILES, external_id: `user-${index}` })),
  )
  await using worker = await startReplayed(() => refuse(403, 'forbidden'))
  const { code, stdout } = await run(['shadow', 'replay', folder, '--concurrency', '3'], worker)
  expect({ code, stdout }).toEqual({ code: EXIT_CODES.access, stdout: '' })
  expect(worker.submitted().length).toBeLessThanOrEqual(3)
})

test('waits while the spool is full, longer than other commands', async () => {
  await writeManifest(FILES)
  let refusals = 4
  await using worker = await startReplayed(() => {
    refusals -= 1
    if (refusals < 0) return accept()
    const { body, status } = refuse(503, 'service_unavailable')
    return new Response(body, { status, headers: { 'retry-after': '0' } })
  })
  const { code } = await run(['shadow', 'replay', folder], worker)
  expect(code).toBe(0)
})

test('sends as many at a time as asked, and each line once', async () => {
  const lines = Array.from({ length: 12 }, (_, index) => ({ ...FILES, external_id: `user-${index}` }))
  await writeManifest(...lines)
  let running = 0
  let most = 0
  const full = Promise.withResolvers<void>()
  await using worker = await startReplayed(async () => {
    running += 1
    most = Math.max(most, running)
    if (running === 3) full.resolve()
    await full.promise
    running -= 1
    return accept()
  })
  const { code, stdout } = await run(['shadow', 'replay', folder, '--concurrency', '3', '--json'], worker)
  expect({ code, most }).toEqual({ code: 0, most: 3 })
  const numbers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => Number(JSON.parse(line).line))
  expect(numbers.toSorted((one, other) => one - other)).toEqual(lines.map((_, index) => index + 1))
})

test('a folder without a manifest is a usage error', async () => {
  await using worker = await startReplayed(accept)
  expect(await run(['shadow', 'replay', folder], worker)).toMatchObject({ code: EXIT_CODES.usage })
})

test('ends at once if it is interrupted', async () => {
  await writeManifest(FILES, { ...FILES, external_id: 'b' })
  const interruption = new AbortController()
  await using worker = await startReplayed(() => {
    interruption.abort(new Error('enough'))
    return new Promise<Response>(() => undefined)
  })
  const { code } = await run(['shadow', 'replay', folder, '--concurrency', '1'], {
    ...worker,
    signal: interruption.signal,
  })
  expect(code).toBe(EXIT_CODES.interrupted)
})
