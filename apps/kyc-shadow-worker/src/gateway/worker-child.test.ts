import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startStopDeadline, STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { expect, onTestFinished, test } from 'vitest'
import { superviseWorker, workerEnvironment } from './worker-child.ts'

const log = createLogger('silent')

/** Supervises a program that appends to a file. */
async function supervise(script: string) {
  const directory = await mkdtemp(path.join(tmpdir(), 'worker-child-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = path.join(directory, 'log')
  const child = superviseWorker({
    command: [
      process.execPath,
      '-e',
      `const say = (text) => fs.appendFileSync(process.env.FILE, text + '\\n');${script}`,
    ],
    environment: { PATH: process.env['PATH'], FILE: file },
    log,
  })
  onTestFinished(() => child.stop(STOP_NOW))
  const read = async (): Promise<string[]> =>
    (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
  return {
    child,
    read,
    async until(count: number): Promise<string[]> {
      for (;;) {
        const lines = await read()
        if (lines.length >= count) return lines
        await delay(10)
      }
    },
  }
}

test('starts the worker again when it is killed', async () => {
  const { child, until } = await supervise('say(process.pid); setInterval(() => {}, 1000)')
  const [first = ''] = await until(1)
  expect(child.pid()).toBe(Number(first))
  process.kill(Number(first), 'SIGKILL')
  const [, second] = await until(2)
  expect(second).not.toBe(first)
  expect(child.isRunning()).toBe(true)
})

test('a stop lets it finish', async () => {
  const { child, read, until } = await supervise(
    "process.once('SIGTERM', () => { say('stopping'); setTimeout(() => { say('stopped'); process.exit() }, 50) }); say('started'); setInterval(() => {}, 1000)",
  )
  await until(1)
  using deadline = startStopDeadline(10_000)
  await child.stop(deadline)
  expect(await read()).toEqual(['started', 'stopping', 'stopped'])
  expect(child.isRunning()).toBe(false)
})

test('a stop ends one that does not want to, and starts no other', async () => {
  const { child, until, read } = await supervise(
    "process.on('SIGTERM', () => say('asked')); say('started'); setInterval(() => {}, 1000)",
  )
  await until(1)
  const { promise: timeOver, resolve } = Promise.withResolvers<void>()
  const over = new AbortController()
  const stopping = child.stop({ graceOver: over.signal, timeOver: over.signal }).then(resolve)
  await until(2)
  over.abort()
  await Promise.all([stopping, timeOver])
  while (child.isRunning()) await delay(10)
  expect(await read()).toEqual(['started', 'asked'])
})

test('a program that cannot be started is tried again, and harms nothing', async () => {
  const child = superviseWorker({ command: ['/nowhere/at/all'], environment: {}, log })
  while (child.isRunning()) await delay(5)
  await child.stop(STOP_NOW)
  expect(child.pid()).toBeUndefined()
})

test('the worker gets everything but what only one process can have', () => {
  const place = { host: '127.0.0.1', port: 8091, metricsPort: undefined }
  const made = workerEnvironment(
    { PORT: '80', HOST: '0.0.0.0', VAANI_METRICS_PORT: '9464', DATABASE_URL: 'postgres://a' },
    place,
  )
  expect(made).toEqual({
    PORT: '8091',
    HOST: '127.0.0.1',
    VAANI_METRICS_PORT: '',
    DATABASE_URL: 'postgres://a',
    VAANI_PARENT_PIPE: '0',
  })
  expect(workerEnvironment({}, { ...place, metricsPort: 9465 })['VAANI_METRICS_PORT']).toBe('9465')
})
