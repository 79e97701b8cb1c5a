import type { Fetch } from '@vaani/client'
import { expect, test } from 'vitest'
import { EXIT_CODES } from '../failure/exit-codes.ts'
import { createFastClock, run } from '../test/run.ts'

const ID = 'ver_1'
const verification = (status: string) => ({ verification_id: ID, decision: status, status, reasons: [] })

/** Returns one of these for each read, and then the last one; null is a transient failure. */
function answering(...statuses: (string | null)[]) {
  let reads = 0
  const fetch: Fetch = async () => {
    const status = statuses[Math.min(reads, statuses.length - 1)]
    reads += 1
    return status
      ? Response.json(verification(status))
      : Response.json({ error: { code: 'internal_error' } }, { status: 500 })
  }
  return { fetch, clock: createFastClock(), reads: () => reads }
}

const statusesIn = (stdout: string): string[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).status)

test.for([
  ['approved', EXIT_CODES.ok, undefined],
  ['declined', EXIT_CODES.unsuccessful, 'verification_declined'],
  ['review', EXIT_CODES.review, 'verification_in_review'],
] as const)('waits until it is %s, and prints one line for each status', async ([final, exitCode, code]) => {
  const service = answering('pending', null, 'pending', final)
  const waited = await run(['kyc', 'wait', ID, '--json'], service)
  expect(waited.code).toBe(exitCode)
  expect(statusesIn(waited.stdout)).toEqual(['pending', final])
  expect(service.reads()).toBe(4)
  if (code === undefined) expect(waited.stderr).toBe('')
  else expect(JSON.parse(waited.stderr).error).toMatchObject({ code, exit_code: exitCode })
})

test('prints each status, then the verification, to a person', async () => {
  const { stdout, stderr } = await run(['kyc', 'wait', ID], answering('pending', 'review'))
  expect(stdout).toMatch(/^ver_1 {2}pending\nver_1 {2}review\nverification_id +ver_1\nstatus +review\n$/)
  expect(stderr).toBe(
    'vaani: a person must decide this verification: `vaani kyc review`, or wait for the webhook\n',
  )
})

test('tells what a person can send again from what a reviewer must decide', async () => {
  const fetch: Fetch = async () => Response.json({ ...verification('review'), resubmit: true })
  const { code, stderr } = await run(['kyc', 'wait', ID], { fetch, clock: createFastClock() })
  expect(code).toBe(EXIT_CODES.review)
  expect(stderr).toContain('the person should send it again')
})

test('gives up on a pending verification after the time limit, and before the service rejects reads', async () => {
  const inTime = await run(['kyc', 'wait', ID, '--json'], answering('pending'))
  expect(inTime.code).toBe(EXIT_CODES.pending)
  expect(JSON.parse(inTime.stderr).error).toMatchObject({ code: 'still_pending', id: ID, status: 'pending' })
  const long = answering('pending')
  expect(await run(['kyc', 'wait', ID, '--timeout', '100000'], long)).toMatchObject({
    code: EXIT_CODES.pending,
  })
  expect(long.reads()).toBe(120)
})

test('ends with the last error if no read succeeded', async () => {
  const fetch: Fetch = async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) })
  }
  const waited = await run(['kyc', 'wait', ID], { fetch, clock: createFastClock() })
  expect(waited).toMatchObject({
    code: EXIT_CODES.unavailable,
    stderr: expect.stringContaining('ECONNREFUSED'),
  })
})

test('waits as long as the service asks', async () => {
  const clock = createFastClock()
  const startedAtMs = clock.nowMs()
  let reads = 0
  const fetch: Fetch = async () => {
    reads += 1
    return reads === 1
      ? Response.json(
          { error: { code: 'rate_limit_exceeded' } },
          { status: 429, headers: { 'retry-after': '30' } },
        )
      : Response.json(verification('approved'))
  }
  expect(await run(['kyc', 'wait', ID], { fetch, clock })).toMatchObject({ code: 0 })
  expect(clock.nowMs() - startedAtMs).toBeGreaterThanOrEqual(30_000)
})
