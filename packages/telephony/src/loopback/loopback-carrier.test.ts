import { access, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Carrier, CarrierCall, CarrierEvent, DialRequest } from '../carrier.ts'
import { createLoopbackCarrier, createManualLoopbackCarrier } from './loopback-carrier.ts'
import { LOOPBACK_TEST_NUMBERS } from './test-numbers.ts'
import { FATAL_NUMBER } from './test/fatal-number.ts'
import { makeFolder, samplesOf } from '../line/test/recordings.ts'

const FRAME_SAMPLES = 320

function dial(carrier: Carrier, changes: Partial<DialRequest> = {}): CarrierCall {
  return carrier.dial({
    callId: 'call',
    to: '+9779812345678',
    ringTimeoutMs: 45_000,
    maxDurationMs: 900_000,
    ...changes,
  })
}

function manualCarrier(options: Parameters<typeof createManualLoopbackCarrier>[0] = {}) {
  const carrier = createManualLoopbackCarrier(options)
  onTestFinished(() => carrier.close())
  return carrier
}

async function eventsOf(call: CarrierCall): Promise<CarrierEvent[]> {
  return Array.fromAsync(call.events)
}

test('records the sent frames bit for bit, and silence in between', async () => {
  const carrier = manualCarrier({ ringMs: 100 })
  const folder = await makeFolder()
  let count = 0
  const sample = fc.integer({ min: -32_768, max: 32_767 })
  const sentFrames = fc
    .array(fc.array(sample, { minLength: FRAME_SAMPLES, maxLength: FRAME_SAMPLES }), { maxLength: 120 })
    .map((frames) => Int16Array.from(frames.flat()))
  await fc.assert(
    fc.asyncProperty(sentFrames, fc.nat(5), fc.nat(5), async (sent, framesBefore, framesAfter) => {
      const recordingPath = join(folder, `${(count += 1)}.wav`)
      const call = dial(carrier, { recordingPath })
      await carrier.advance(100 + framesBefore * 20)
      await call.send(sent)
      await carrier.advance((sent.length / FRAME_SAMPLES + framesAfter) * 20)
      call.hangUp()
      const ended = await call.ended

      const durationMs = (sent.length / FRAME_SAMPLES + framesBefore + framesAfter) * 20
      expect(ended).toMatchObject({ durationMs, recording: { path: recordingPath, durationMs } })
      const expected = new Int16Array((durationMs / 20) * FRAME_SAMPLES)
      expected.set(sent, framesBefore * FRAME_SAMPLES)
      expect(await samplesOf(recordingPath)).toEqual(expected)
    }),
    { numRuns: 25 },
  )
})

test('a recording of 15 minutes grows under another name until it is complete', async () => {
  const carrier = manualCarrier({ ringMs: 0 })
  const recordingPath = join(await makeFolder(), 'long.wav')
  const call = dial(carrier, { recordingPath })
  for (let minute = 0; minute < 15; minute += 1) {
    expect(await readdir(dirname(recordingPath))).not.toContain('long.wav')
    await carrier.advance(60_000)
  }
  await carrier.advance(20)
  expect(await call.ended).toMatchObject({ outcome: 'duration_limit', recording: { durationMs: 900_000 } })
  expect(await readdir(dirname(recordingPath))).toEqual(['long.wav'])
  expect(await samplesOf(recordingPath)).toHaveLength(900 * 16_000)
})

test('a recording that cannot be written does not affect the call', async () => {
  const carrier = manualCarrier()
  const folder = await makeFolder()
  await mkdir(join(folder, 'taken.wav'))
  const paths = { ENOENT: join(folder, 'nowhere', 'call.wav'), EISDIR: join(folder, 'taken.wav') }
  for (const [recordingFailure, recordingPath] of Object.entries(paths)) {
    const call = dial(carrier, { recordingPath })
    await carrier.advance(5000)
    call.hangUp()
    const ended = await call.ended
    expect(ended).toMatchObject({ outcome: 'completed', durationMs: 4000, recordingFailure })
    expect(ended).not.toHaveProperty('recording')
  }
  expect(await readdir(folder)).toEqual(['taken.wav'])
})

test('the test numbers behave as documented', async () => {
  const carrier = manualCarrier({ ringMs: 1000 })
  const dialAndWait = async (to: string) => {
    const call = dial(carrier, { to })
    await carrier.advance(60_000)
    call.hangUp()
    return eventsOf(call)
  }
  const answered = { type: 'answered', atMs: expect.any(Number) }
  const ended = { type: 'ended', durationMs: 0 }
  const { busy, rejects, neverAnswers, lineDrops, pressesDigits, unreachable, hangsUp } =
    LOOPBACK_TEST_NUMBERS

  expect(await dialAndWait(busy.number)).toEqual([
    { ...ended, outcome: 'busy', endedBy: 'callee', sipStatus: 486 },
  ])
  expect(await dialAndWait(rejects.number)).toEqual([
    { type: 'ringing' },
    { ...ended, outcome: 'rejected', endedBy: 'callee', sipStatus: 603 },
  ])
  expect(await dialAndWait(neverAnswers.number)).toEqual([
    { type: 'ringing' },
    { ...ended, outcome: 'no_answer', endedBy: 'agent', sipStatus: 487 },
  ])
  expect(await dialAndWait(unreachable.number)).toEqual([
    { ...ended, outcome: 'unreachable', endedBy: 'carrier', sipStatus: 404 },
  ])
  expect(await dialAndWait(lineDrops.number)).toEqual([
    { type: 'ringing' },
    answered,
    { ...ended, outcome: 'carrier_error', endedBy: 'carrier', durationMs: 2000, played: [] },
  ])
  expect(await dialAndWait(hangsUp.number)).toEqual([
    { type: 'ringing' },
    answered,
    { ...ended, outcome: 'completed', endedBy: 'callee', durationMs: 3000, played: [] },
  ])
  expect(await dialAndWait(pressesDigits.number)).toEqual([
    { type: 'ringing' },
    answered,
    ...['1', '2', '3', '#'].map((digit) => ({ type: 'dtmf', digit })),
    { ...ended, outcome: 'completed', endedBy: 'agent', durationMs: 59_000, played: [] },
  ])
})

test('an unanswered call ends exactly at the ring timeout, to the frame', async () => {
  const carrier = manualCarrier()
  const call = dial(carrier, { to: LOOPBACK_TEST_NUMBERS.neverAnswers.number, ringTimeoutMs: 45_000 })
  let hasEnded = false
  const ending = call.ended.then(() => (hasEnded = true))
  await carrier.advance(44_980)
  expect(hasEnded).toBe(false)
  await carrier.advance(20)
  await ending
})

test('frames cleared while the call rang are never heard', async () => {
  const carrier = manualCarrier({ ringMs: 1000 })
  const recordingPath = join(await makeFolder(), 'cleared.wav')
  const call = dial(carrier, { recordingPath })
  await call.send(new Int16Array(100 * FRAME_SAMPLES).fill(1))
  await carrier.advance(500)
  call.clear()
  await call.send(new Int16Array(2 * FRAME_SAMPLES).fill(2))
  await carrier.advance(560)
  call.hangUp()
  await call.ended
  const heard = await samplesOf(recordingPath)
  expect(heard).toEqual(new Int16Array(3 * FRAME_SAMPLES).fill(2, 0, 2 * FRAME_SAMPLES))
})

test('the end names the frames that were heard, by their place among those sent', async () => {
  const carrier = manualCarrier({ ringMs: 0 })
  const call = dial(carrier)
  const frames = (count: number) => new Int16Array(count * FRAME_SAMPLES)
  await carrier.advance(20 + 60)
  await call.send(frames(5))
  await carrier.advance(160)
  await call.send(frames(10))
  await carrier.advance(40)
  call.clear()
  await call.send(frames(4))
  await carrier.advance(60)
  call.hangUp()
  expect((await call.ended).played).toEqual([
    { sentAtMs: 0, heardAtMs: 60, durationMs: 100 },
    { sentAtMs: 100, heardAtMs: 220, durationMs: 40 },
    { sentAtMs: 300, heardAtMs: 260, durationMs: 60 },
  ])
})

test('audio events come only with receiveAudio', async () => {
  const carrier = manualCarrier({ ringMs: 0 })
  const to = LOOPBACK_TEST_NUMBERS.echoes.number
  const deaf = dial(carrier, { to })
  const listener = dial(carrier, { to, receiveAudio: true })
  const said = Int16Array.from({ length: 5 * FRAME_SAMPLES }, (_, index) => index - 800)
  for (const call of [deaf, listener]) await call.send(said)
  await carrier.advance(20 + 100)
  for (const call of [deaf, listener]) call.hangUp()

  const heard = (await eventsOf(listener)).flatMap((event) =>
    event.type === 'audio' ? [...event.samples] : [],
  )
  expect(heard).toEqual([...said])
  expect((await eventsOf(deaf)).map(({ type }) => type)).toEqual(['ringing', 'answered', 'ended'])
})

test('without a reader, the newest audio and every change of state are kept', async () => {
  const carrier = manualCarrier({ ringMs: 0 })
  const call = dial(carrier, { receiveAudio: true })
  await carrier.advance(60_000)
  call.hangUp()
  await call.ended
  const types = (await eventsOf(call)).map(({ type }) => type)
  expect(types).toHaveLength(256)
  expect(types.filter((type) => type !== 'audio')).toEqual(['ringing', 'answered', 'ended'])
})

test('a stall of the main thread leaves no hole in the audio', async () => {
  const carrier = createLoopbackCarrier({ ringMs: 0, frameIntervalMs: 2 })
  onTestFinished(() => carrier.close())
  const recordingPath = join(await makeFolder(), 'stall.wav')
  const call = dial(carrier, { recordingPath })
  const said = new Int16Array(100 * FRAME_SAMPLES).fill(1000)
  await call.send(said)
  for await (const event of call.events) if (event.type === 'answered') break
  // Block this thread for longer than the frames last.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
  await call.drained()
  call.hangUp()
  await call.ended

  const heard = await samplesOf(recordingPath)
  const start = heard.indexOf(1000)
  expect(heard.lastIndexOf(1000) - start + 1).toBe(said.length)
})

test('a crash of the media worker ends its calls, and the next call starts a new worker', async () => {
  const crashes: Error[] = []
  const carrier = manualCarrier({
    ringMs: 0,
    workerUrl: new URL('./test/crashing-media-worker.ts', import.meta.url),
    onCrash: (error) => crashes.push(error),
  })
  const recordingPath = join(await makeFolder(), 'lost.wav')
  const call = dial(carrier, { recordingPath })
  await carrier.advance(10_020)
  const sending = call.send(new Int16Array(1000 * FRAME_SAMPLES))
  const fatal = dial(carrier, { to: FATAL_NUMBER })

  const lost = { outcome: 'carrier_error', endedBy: 'carrier' }
  const ended = await call.ended
  expect(ended).toMatchObject({ ...lost, durationMs: 10_000, recordingFailure: 'WORKER_CRASHED' })
  expect(ended).not.toHaveProperty('played')
  expect(await fatal.ended).toMatchObject({ ...lost, durationMs: 0 })
  expect(crashes.map(({ message }) => message)).toEqual(['a fatal call'])
  await sending
  await call.drained()
  await expect(access(recordingPath)).rejects.toMatchObject({ code: 'ENOENT' })

  const next = dial(carrier)
  await carrier.advance(1020)
  next.hangUp()
  expect(await next.ended).toMatchObject({ outcome: 'completed', durationMs: 1000 })
})

test('pacing counts the gaps of all calls since the last reading', async () => {
  const carrier = manualCarrier({ ringMs: 0 })
  expect(carrier.pacing()).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 0, gaps: 0, calls: 0 })
  const calls = Array.from({ length: 10 }, (_, index) => dial(carrier, { callId: `call ${index}` }))
  await carrier.advance(20 + 101 * 20)
  expect(carrier.pacing()).toEqual({ p50Ms: 20, p99Ms: 20, maxMs: 20, gaps: 1000, calls: 10 })
  for (const call of calls) call.hangUp()
  await Promise.all(calls.map(({ ended }) => ended))
  expect(carrier.pacing()).toMatchObject({ gaps: 0, calls: 0 })
})
