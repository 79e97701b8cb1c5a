import { access, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { CallEnded, Carrier, CarrierCall, CarrierEvent, DialRequest } from '@vaani/telephony'
import { createSimulatorCarrier, createManualSimulatorCarrier } from './simulator-carrier.ts'
import { SIMULATOR_NUMBERS } from '../softphone/simulator-numbers.ts'
import { FATAL_NUMBER } from './test/fatal-number.ts'
import { makeFolder, samplesOf } from '../../test/support/softphone-line.ts'

const FRAME_SAMPLES = 320
const LEVEL = 8031

function dial(carrier: Carrier, changes: Partial<DialRequest> = {}): CarrierCall {
  return carrier.dial({
    callId: 'call',
    to: '+9779812345678',
    ringTimeoutMs: 45_000,
    maxDurationMs: 900_000,
    ...changes,
  })
}

function manualCarrier(options: Parameters<typeof createManualSimulatorCarrier>[0] = {}) {
  const carrier = createManualSimulatorCarrier(options)
  onTestFinished(() => carrier.close())
  return carrier
}

async function eventsOf(call: CarrierCall): Promise<CarrierEvent[]> {
  return Array.fromAsync(call.events)
}

const audioOf = (events: readonly CarrierEvent[]): number[] =>
  events.flatMap((event) => (event.type === 'audio' ? [...event.samples] : []))

test('records the sent frames bit for bit, and silence in between', async () => {
  const carrier = manualCarrier({ ringMs: 100 })
  const folder = await makeFolder(onTestFinished)
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
  const recordingPath = join(await makeFolder(onTestFinished), 'long.wav')
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
  const folder = await makeFolder(onTestFinished)
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
  const answered = { type: 'answered', atMs: 1000 }
  const ended = (facts: Partial<CallEnded>) =>
    expect.objectContaining({ type: 'ended', durationMs: 0, ...facts })
  const { busy, rejects, neverAnswers, lineDrops, pressesDigits, unreachable, hangsUp } = SIMULATOR_NUMBERS

  expect(await dialAndWait(busy.number)).toEqual([
    ended({ outcome: 'busy', endedBy: 'callee', sipStatus: 486 }),
  ])
  expect(await dialAndWait(rejects.number)).toEqual([
    { type: 'ringing' },
    ended({ outcome: 'rejected', endedBy: 'callee', sipStatus: 603 }),
  ])
  expect(await dialAndWait(neverAnswers.number)).toEqual([
    { type: 'ringing' },
    ended({ outcome: 'no_answer', endedBy: 'agent', sipStatus: 487 }),
  ])
  expect(await dialAndWait(unreachable.number)).toEqual([
    ended({ outcome: 'unreachable', endedBy: 'carrier', sipStatus: 404 }),
  ])
  answered.atMs += 4 * 60_000
  expect(await dialAndWait(lineDrops.number)).toEqual([
    { type: 'ringing' },
    answered,
    ended({ outcome: 'carrier_error', endedBy: 'carrier', q850Cause: 41, durationMs: 2000, played: [] }),
  ])
  answered.atMs += 60_000
  expect(await dialAndWait(hangsUp.number)).toEqual([
    { type: 'ringing' },
    answered,
    ended({ outcome: 'completed', endedBy: 'callee', durationMs: 3000, played: [] }),
  ])
  answered.atMs += 60_000
  expect(await dialAndWait(pressesDigits.number)).toEqual([
    { type: 'ringing' },
    answered,
    ...['1', '2', '3', '#'].map((digit) => ({ type: 'dtmf', digit })),
    ended({ outcome: 'completed', endedBy: 'agent', durationMs: 59_000, played: [] }),
  ])
})

test('an unanswered call ends exactly at the ring timeout, to the frame', async () => {
  const carrier = manualCarrier()
  const call = dial(carrier, { to: SIMULATOR_NUMBERS.neverAnswers.number, ringTimeoutMs: 45_000 })
  let hasEnded = false
  const ending = call.ended.then(() => (hasEnded = true))
  await carrier.advance(44_980)
  expect(hasEnded).toBe(false)
  await carrier.advance(20)
  await ending
})

test('frames cleared while the call rang are never heard', async () => {
  const carrier = manualCarrier({ ringMs: 1000 })
  const recordingPath = join(await makeFolder(onTestFinished), 'cleared.wav')
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

test('the agent hears an echo, as the codec leaves it, only with receiveAudio', async () => {
  const carrier = manualCarrier({ ringMs: 0 })
  const to = SIMULATOR_NUMBERS.echoes.number
  const deaf = dial(carrier, { to })
  const listener = dial(carrier, { to, receiveAudio: true })
  for (const call of [deaf, listener]) await call.send(new Int16Array(50 * FRAME_SAMPLES).fill(LEVEL))
  await carrier.advance(20 + 2000)
  for (const call of [deaf, listener]) call.hangUp()

  const loud = audioOf(await eventsOf(listener)).filter((sample) => Math.abs(sample - LEVEL) < 300)
  expect(loud.length / FRAME_SAMPLES).toBeGreaterThan(45)
  expect((await eventsOf(deaf)).map(({ type }) => type)).toEqual(['ringing', 'answered', 'ended'])
})

test('voicemail greets, beeps, and listens', async () => {
  const carrier = manualCarrier({ ringMs: 0 })
  const call = dial(carrier, { to: SIMULATOR_NUMBERS.voicemail.number, receiveAudio: true })
  await carrier.advance(20 + 5000)
  call.hangUp()
  const heard = audioOf(await eventsOf(call))
  const hertz = (fromMs: number) => {
    const part = heard.slice(fromMs * 16, (fromMs + 200) * 16)
    const rises = part.filter((sample, index) => sample > 0 && (part[index - 1] ?? 0) <= 0)
    return Math.max(...part) > 500 ? rises.length * 5 : 0
  }
  const hum = hertz(500)
  expect(hum).toBeGreaterThan(140)
  expect(hum).toBeLessThan(250)
  expect(hertz(3250)).toBe(1000)
  expect([3800, 4700].map(hertz)).toEqual([0, 0])
})

test('a bad line loses packets and delays others, both ways', async () => {
  const carrier = manualCarrier({ ringMs: 0 })
  const call = dial(carrier, { to: SIMULATOR_NUMBERS.badLine.number })
  const talking = call.send(new Int16Array(1400 * FRAME_SAMPLES).fill(LEVEL))
  await carrier.advance(27_000)
  await talking
  call.hangUp()
  const { quality, outcome } = await call.ended
  expect(outcome).toBe('completed')
  expect(quality?.lostFraction).toBeGreaterThan(0.02)
  expect(quality?.remoteLostFraction).toBeGreaterThan(0.02)
  expect(quality?.jitterMs).toBeGreaterThan(5)
  expect(quality?.mos).toBeLessThan(4)
})

test('with one-way audio, nothing of the callee arrives', async () => {
  const carrier = manualCarrier({ ringMs: 0 })
  const call = dial(carrier, { to: SIMULATOR_NUMBERS.oneWayAudio.number, receiveAudio: true })
  await call.send(new Int16Array(50 * FRAME_SAMPLES).fill(LEVEL))
  await carrier.advance(20 + 1000)
  call.hangUp()
  const { quality } = await call.ended
  expect(quality).toMatchObject({ packetsReceived: 0 })
  expect(quality?.packetsSent).toBeGreaterThan(45)
  expect(audioOf(await eventsOf(call)).every((sample) => sample === 0)).toBe(true)
})

test('a callee that interrupts hangs up after a second of speech, however long the silence before', async () => {
  const carrier = manualCarrier({ ringMs: 0 })
  const call = dial(carrier, { to: SIMULATOR_NUMBERS.interrupts.number })
  await carrier.advance(5020)
  await call.send(new Int16Array(100 * FRAME_SAMPLES).fill(LEVEL))
  await carrier.advance(5000)
  const { outcome, endedBy, played = [] } = await call.ended
  expect({ outcome, endedBy }).toEqual({ outcome: 'completed', endedBy: 'callee' })
  const playedMs = played.reduce((sum, { durationMs }) => sum + durationMs, 0)
  expect(playedMs).toBeGreaterThanOrEqual(1000)
  expect(playedMs).toBeLessThan(1300)
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
  const carrier = createSimulatorCarrier({ ringMs: 0, frameIntervalMs: 2 })
  onTestFinished(() => carrier.close())
  const recordingPath = join(await makeFolder(onTestFinished), 'stall.wav')
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

test('a crash of the worker ends its calls, and the next call starts a new worker', async () => {
  const crashes: Error[] = []
  const carrier = manualCarrier({
    ringMs: 0,
    workerUrl: new URL('./test/crashing-simulator-worker.ts', import.meta.url),
    onCrash: (error) => crashes.push(error),
  })
  const recordingPath = join(await makeFolder(onTestFinished), 'lost.wav')
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
