import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const MAIN = path.resolve(import.meta.dirname, '../src/main.ts')
/** It takes about 40 s on two cores that nobody else uses. */
const LIMIT_MS = 240_000

test(
  'the demo tells its story to the end, and leaves nothing behind',
  { timeout: LIMIT_MS + 10_000 },
  async () => {
    await using held = new AsyncDisposableStack()
    // Postgres, which refuses root, must be able to pass.
    const temporary = await mkdtemp(path.join(tmpdir(), 'vaani-of-the-demo-'))
    held.defer(() => rm(temporary, { recursive: true, force: true }))
    const demo = spawn(process.execPath, ['--conditions=vaani-source', MAIN, 'demo', '--fast', '--exit'], {
      // What the person has set for other services must not reach the demo.
      env: { ...process.env, TMPDIR: temporary, DATABASE_URL: 'postgres://nobody.invalid/none', PORT: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    })
    held.defer(() => void demo.kill())
    const [printed, errors, [code]] = await Promise.all([
      text(demo.stdout),
      text(demo.stderr),
      once(demo, 'exit'),
    ])
    expect({ code, errors }, printed).toEqual({ code: 0, errors: '' })
    const story = [
      /Shadow 10 % of the traffic/,
      /ALERT migration\.mismatch: .* worst mismatch/,
      /ROLLED BACK by `gate`/,
      /Callers noticed nothing: \d+ submissions answered by v1 meanwhile, 0 failed/,
      /Promote\. Every rate is within what is allowed/,
      /`live`: v2 answers/,
      /got its answer from v2/,
      /v1 does not know this id/,
      /`complete`/,
      /submissions answered in all, 0 failed/,
      /http:\/\/127\.0\.0\.1:\d+\/#key=sk_live_/,
    ]
    // As it is broken into lines for the screen.
    const told = printed.replaceAll(/\n +/g, ' ')
    for (const sentence of story) expect(told).toMatch(sentence)
    expect((await readdir(temporary)).filter((name) => name.startsWith('vaani-demo-'))).toEqual([])
  },
)

test('arguments that it does not know are refused with the usage', async () => {
  const demo = spawn(process.execPath, ['--conditions=vaani-source', MAIN, 'demo', '--faster'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors, [code]] = await Promise.all([text(demo.stderr), once(demo, 'exit')])
  expect(code).toBe(2)
  expect(errors).toMatch(/^Usage: kyc-shadow-worker COMMAND/)
})
