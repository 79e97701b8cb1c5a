import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { EXIT_CODES } from '../../failure/exit-codes.ts'
import { ADMIN_KEY, migration, pair, refuse, startTestWorker } from '../../test/migration-worker.ts'
import { run } from '../../test/run.ts'

test.for([
  ['promote', EXIT_CODES.ok],
  ['not_enough_evidence', EXIT_CODES.pending],
  ['roll_back', EXIT_CODES.unsuccessful],
  ['hold', EXIT_CODES.review],
] as const)('the exit code of status says the advice: %s', async ([advice, exitCode]) => {
  await using worker = await startTestWorker(() => Response.json(migration('shadow-10', advice)))
  const { variables } = worker
  const { code, stdout } = await run(['shadow', 'status'], { variables })
  expect(code).toBe(exitCode)
  expect(stdout).toMatch(new RegExp(`^stage +shadow-10\nadvice +${advice}\n`))
  expect(stdout).toMatch(
    /\nopen +One side approved what the other declined +1 of 5210 +0\.0012 % to 0\.12 % +0\.1 % +1400 more\n$/,
  )
  expect(stdout).toMatch(
    /\nerrors +v2 alone failed in 9 of 5210 pairs, v1 alone in 12: difference -0\.058 % \(-0\.38 % to 0\.25 %\)\n/,
  )
  const json = await run(['shadow', 'status', '--json'], { variables })
  expect(JSON.parse(json.stdout)).toEqual(migration('shadow-10', advice))
  expect(json.code).toBe(exitCode)
})

test('status is well once the migration is complete, and shows what needs attention before', async () => {
  const attention = ['The candidate refuses VAANI_SHADOW_CANDIDATE_API_KEY (401).']
  await using worker = await startTestWorker(() =>
    Response.json({ ...migration('complete', 'done'), attention }),
  )
  const { code, stdout } = await run(['shadow', 'status'], worker)
  expect(code).toBe(EXIT_CODES.ok)
  expect(stdout).toMatch(/\nattention +The candidate refuses VAANI_SHADOW_CANDIDATE_API_KEY \(401\)\.\n/)
})

test.for([
  ['passed', EXIT_CODES.ok],
  ['failed', EXIT_CODES.unsuccessful],
] as const)('check prints what was found: %s', async ([state, exitCode]) => {
  const result = {
    passed: state === 'passed',
    checks: [{ name: 'candidate_key', state, message: 'Set a key that is valid there.' }],
  }
  await using worker = await startTestWorker(() => Response.json(result))
  const { code, stdout } = await run(['shadow', 'check'], worker)
  expect(code).toBe(exitCode)
  expect(stdout).toMatch(new RegExp(`^${state} +candidate_key +Set a key that is valid there\\.$`, 'm'))
  const json = await run(['shadow', 'check', '--json'], worker)
  expect(JSON.parse(json.stdout)).toEqual(result)
  expect(worker.received).toMatchObject([
    { request: 'GET /migration/check' },
    { request: 'GET /migration/check' },
  ])
})

test('shows a kill switch that is engaged', async () => {
  const kill_switch = { engaged: true, source: 'file' } as const
  await using worker = await startTestWorker(() => Response.json({ ...migration('live'), kill_switch }))
  const { stdout } = await run(['shadow', 'status'], worker)
  expect(stdout).toMatch(/\nkill_switch +engaged by file\n/)
})

test.for([
  [['ramp', 'shadow-25'], 'PUT /migration/stage', { stage: 'shadow-25' }],
  [['ramp', 'shadow-25', '--force'], 'PUT /migration/stage', { stage: 'shadow-25', force: true }],
  [['rollback'], 'POST /migration/rollback', {}],
  [['kill'], 'PUT /migration/kill-switch', { engaged: true }],
  [['kill', '--off'], 'PUT /migration/kill-switch', { engaged: false }],
] as const)('%j', async ([line, request, body]) => {
  await using worker = await startTestWorker(() => Response.json(migration('shadow-10')))
  const variables = { ...worker.variables, USER: 'asha' }
  const { code } = await run(['shadow', ...line, '--reason', 'Day 3'], { variables })
  expect(code).toBe(0)
  expect(worker.received).toMatchObject([{ request, json: { ...body, reason: 'Day 3', actor: 'asha' } }])
  await run(['shadow', ...line, '--reason', 'Day 3', '--actor', 'bina'], { variables })
  expect(worker.received[1]).toMatchObject({ json: { ...body, reason: 'Day 3', actor: 'bina' } })
})

test.for([
  ['shadow-100', 'live'],
  ['live', 'complete'],
] as const)('promote goes from %s to %s', async ([stage, next]) => {
  await using worker = await startTestWorker(({ json }) => Response.json(migration(json ? next : stage)))
  const { code, stdout } = await run(['shadow', 'promote', '--reason', 'Day 14'], worker)
  expect(code).toBe(0)
  expect(stdout).toContain(next)
  expect(worker.received[1]).toMatchObject({ request: 'PUT /migration/stage', json: { stage: next } })
})

test('promote changes nothing once the migration is complete', async () => {
  await using worker = await startTestWorker(() => Response.json(migration('complete')))
  const { code } = await run(['shadow', 'promote', '--reason', 'Day 14'], worker)
  expect(code).toBe(EXIT_CODES.conflict)
  expect(worker.received).toHaveLength(1)
})

test('a promotion that the evidence does not advise is a conflict', async () => {
  await using worker = await startTestWorker(({ json }) =>
    json ? refuse(409, 'state_conflict') : Response.json(migration('shadow-10')),
  )
  const { code, stderr } = await run(['shadow', 'promote', '--reason', 'Too early'], worker)
  expect(code).toBe(EXIT_CODES.conflict)
  expect(stderr).toContain('state_conflict')
})

test('a change needs a reason, but the kill switch does not', async () => {
  await using worker = await startTestWorker(() => Response.json(migration('shadow-10')))
  for (const line of [['ramp', 'live'], ['promote'], ['rollback']])
    expect(await run(['shadow', ...line], worker)).toMatchObject({ code: EXIT_CODES.usage })
  expect(worker.received).toEqual([])
  expect(await run(['shadow', 'kill'], worker)).toMatchObject({ code: 0 })
})

test('lists the open mismatches, or all of them', async () => {
  await using worker = await startTestWorker(() =>
    Response.json({ data: [pair('pair_1')], has_more: false, next_cursor: null }),
  )
  const { stdout } = await run(['shadow', 'mismatches', '--severity', 'worst'], worker)
  expect(stdout).toMatch(
    /pair_1 +worst +approved -> declined +2026-11-22T00:00:00Z +liveness, full_name different\n/,
  )
  await run(['shadow', 'mismatches', '--all'], worker)
  expect(worker.received.map(({ request }) => request)).toEqual([
    'GET /migration/pairs?open=true&severity=worst&limit=20',
    'GET /migration/pairs?outcome=mismatched&limit=20',
  ])
})

test('reads and acknowledges a pair', async () => {
  await using worker = await startTestWorker(() => Response.json(pair('pair_1')))
  expect(await run(['shadow', 'pair', 'pair_1'], worker)).toMatchObject({ code: 0 })
  const { code } = await run(['shadow', 'acknowledge', 'pair_1', '--note', 'It is expired'], worker)
  expect(code).toBe(0)
  expect(worker.received).toMatchObject([
    { request: 'GET /migration/pairs/pair_1' },
    { request: 'POST /migration/pairs/pair_1/acknowledge', json: { note: 'It is expired' } },
  ])
})

test('saves the report as a page, or prints it as JSON', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-report-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const page = '<p>नमस्ते</p>'
  await using worker = await startTestWorker(({ request }) =>
    request.endsWith('.html')
      ? new Response(page, { headers: { 'content-type': 'text/html' } })
      : Response.json({ generated_at: '2026-11-22T00:00:00Z', migration: migration('live') }),
  )
  const out = path.join(folder, 'report.html')
  expect(await run(['shadow', 'report', '--out', out], worker)).toMatchObject({ code: 0 })
  expect(await readFile(out, 'utf8')).toBe(page)
  expect(await run(['shadow', 'report', '--out', '-'], worker)).toMatchObject({ stdout: page })
  const { stdout } = await run(['shadow', 'report', '--json'], worker)
  expect(JSON.parse(stdout)).toMatchObject({ migration: { stage: 'live' } })
  expect(await run(['shadow', 'report'], worker)).toMatchObject({ code: EXIT_CODES.usage })
})

test('leaves no file if the report cannot be read', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-report-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await using worker = await startTestWorker(() => refuse(403, 'forbidden'))
  const { code } = await run(['shadow', 'report', '--out', path.join(folder, 'report.html')], worker)
  expect(code).toBe(EXIT_CODES.access)
  expect(await readdir(folder)).toEqual([])
})

test('never sends the key of another service', async () => {
  await using worker = await startTestWorker(() => Response.json(migration('live')))
  const { VAANI_SHADOW_URL = '' } = worker.variables
  const variables = { VAANI_API_KEY: 'sk_live_other', VAANI_BASE_URL: VAANI_SHADOW_URL, VAANI_SHADOW_URL }
  const { code, stderr } = await run(['shadow', 'status'], { variables })
  expect(code).toBe(EXIT_CODES.access)
  expect(stderr).toContain('VAANI_SHADOW_API_KEY')
  expect(worker.received).toEqual([])
})

test('uses the key of a profile that `login` has checked', async () => {
  const homeDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-home-'))
  onTestFinished(() => rm(homeDirectory, { recursive: true }))
  await using worker = await startTestWorker(({ request }) =>
    request === 'GET /migration' ? Response.json(migration('live')) : refuse(404, 'not_found'),
  )
  const { VAANI_SHADOW_URL: url = '' } = worker.variables
  const login = async (key: string) => {
    const stdin = new PassThrough()
    stdin.end(key)
    return run(['login', '--profile', 'shadow', '--base-url', url, '--key-stdin'], {
      homeDirectory,
      variables: {},
      stdin,
    })
  }
  expect(await login('sk_live_wrong')).toMatchObject({ code: EXIT_CODES.access })
  expect(await login(ADMIN_KEY)).toMatchObject({ code: 0 })
  const { code } = await run(['shadow', 'status', '--profile', 'shadow'], { homeDirectory, variables: {} })
  expect(code).toBe(0)
})
