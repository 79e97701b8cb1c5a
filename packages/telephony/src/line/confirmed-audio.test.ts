import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createConfirmedAudio } from './confirmed-audio.ts'
import { clearFrames, createFrameRing, playedFrames, writeFrame } from './frame-ring.ts'

/** A recorder that keeps the first sample of each frame; 0 is silence. */
function open(capacityFrames = 150) {
  const ring = createFrameRing({ frameSamples: 2, capacityFrames })
  const recorded: number[] = []
  const far = { sent: [] as number[], clears: 0 }
  const audio = createConfirmedAudio({
    request: { ring, recordingPath: 'call.wav' },
    startRecorder: () => ({
      hear: (frame) => void recorded.push(frame?.[0] ?? 0),
      flush: () => undefined,
      written: async () => undefined,
      finish: async () => ({}),
    }),
  })
  const advance = () =>
    audio.advance({
      send: (frame, number) => void far.sent.push(number, frame[0] ?? 0),
      clear: () => void (far.clears += 1),
    })
  const speak = (...values: number[]) =>
    values.forEach((value) => writeFrame(ring, Int16Array.of(value, value)))
  return { ring, recorded, far, audio, advance, speak }
}

const COMPLETED = { outcome: 'completed', endedBy: 'agent' } as const

test('a frame counts as played, and is recorded where it was sent, once the far end confirms it', async () => {
  const { ring, recorded, far, audio, advance, speak } = open()
  audio.answer()
  speak(1, 2)
  for (let tick = 0; tick < 4; tick += 1) advance()
  expect([far.sent, playedFrames(ring), recorded]).toEqual([[0, 1, 1, 2], 0, []])
  audio.confirm(1)
  expect([playedFrames(ring), recorded]).toEqual([2, [1, 2, 0, 0]])
  const { played, durationMs } = await audio.end(COMPLETED)
  expect(played).toEqual([{ sentAtMs: 0, heardAtMs: 0, durationMs: 40 }])
  expect(durationMs).toBe(80)
})

test('frames that were cleared at the far end are silence, even if it confirms them afterwards', async () => {
  const { ring, recorded, far, audio, advance, speak } = open()
  audio.answer()
  speak(1, 2, 3, 4)
  for (let tick = 0; tick < 3; tick += 1) advance()
  audio.confirm(0)
  clearFrames(ring)
  speak(5)
  advance()
  expect(far).toEqual({ sent: [0, 1, 1, 2, 2, 3, 4, 5], clears: 1 })
  audio.confirm(2)
  audio.confirm(4)
  const { played } = await audio.end(COMPLETED)
  expect(recorded).toEqual([1, 0, 0, 5])
  expect(played).toEqual([
    { sentAtMs: 0, heardAtMs: 0, durationMs: 20 },
    { sentAtMs: 80, heardAtMs: 60, durationMs: 20 },
  ])
})

test('a far end that confirms nothing gets one second, and no more', () => {
  const { far, audio, advance, speak } = open()
  audio.answer()
  speak(...Array.from({ length: 150 }, (_, index) => index + 1))
  for (let tick = 0; tick < 100; tick += 1) advance()
  expect(far.sent).toHaveLength(2 * 50)
  expect(audio.unconfirmedMs()).toBe(2000)
  audio.confirm(49)
  expect(audio.unconfirmedMs()).toBe(0)
  advance()
  expect(far.sent).toHaveLength(2 * 51)
})

test('frames wait while there is no way to the far end, and while it rings they can be cleared', () => {
  const { ring, far, audio, advance, speak } = open(2)
  speak(1, 2)
  clearFrames(ring)
  audio.wait()
  expect(playedFrames(ring)).toBe(2)
  speak(3)
  audio.answer()
  audio.pass()
  expect(far.sent).toEqual([])
  advance()
  expect(far.sent).toEqual([2, 3])
})

test('whatever is confirmed, the recording holds exactly what counts as played, at its place', async () => {
  const step = fc.oneof(
    fc.constantFrom('speak', 'clear', 'advance', 'advance', 'pass'),
    fc.integer({ min: -2, max: 40 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const { ring, recorded, audio, advance } = open(6)
      audio.answer()
      let written = 0
      for (const what of steps)
        if (typeof what === 'number') audio.confirm(what)
        else if (what === 'clear') clearFrames(ring)
        else if (what === 'advance') advance()
        else if (what === 'pass') audio.pass()
        else if (writeFrame(ring, Int16Array.of(written + 1, 0))) written += 1
      const { played = [], durationMs } = await audio.end(COMPLETED)
      const expected = Array.from({ length: durationMs / 20 }, () => 0)
      for (const { sentAtMs, heardAtMs, durationMs: length } of played)
        for (let at = 0; at < length; at += 20) expected[(heardAtMs + at) / 20] = (sentAtMs + at) / 20 + 1
      expect(recorded).toEqual(expected)
      const heard = recorded.filter((value) => value !== 0)
      expect(heard).toEqual([...new Set(heard)].toSorted((a, b) => a - b))
    }),
  )
})
