import { formatComfortNoise, measureLevels } from '@vaani/pcm-audio'
import { expect, test } from 'vitest'
import { toneFrame } from '../../test/support/tones.ts'
import { createComfortConcealment } from './comfort-concealment.ts'

const NOISE = formatComfortNoise({ levelDbov: -50, reflection: [] })
const frame = () => new Int16Array(160)
/** Long enough for the level of noise to be steady. */
const longFrame = () => new Int16Array(8000)

test('a hole is filled with sound before a pause was announced, and with noise after', () => {
  const concealment = createComfortConcealment({ sampleRateHz: 8000 })
  for (let index = 0; index < 10; index++) concealment.push(toneFrame(index, 8000))
  expect(measureLevels(concealment.conceal(frame())).rmsDbfs).toBeGreaterThan(-20)
  concealment.pause(NOISE)
  expect(concealment.isSilent).toBe(false)
  expect(measureLevels(concealment.conceal(longFrame())).rmsDbfs).toBeCloseTo(-47, 0)
  expect(concealment.isSilent).toBe(true)
})

test('the noise ends with the next sound, and the last sound before the pause does not end it', () => {
  const concealment = createComfortConcealment({ sampleRateHz: 8000 })
  concealment.pause(NOISE)
  const last = toneFrame(0, 8000)
  expect(concealment.push(last)).toEqual(last)
  expect(measureLevels(concealment.conceal(longFrame())).rmsDbfs).toBeCloseTo(-47, 0)
  concealment.push(toneFrame(1, 8000))
  expect(measureLevels(concealment.conceal(frame())).rmsDbfs).toBeGreaterThan(-25)
})

test('a payload without a level is ignored', () => {
  const concealment = createComfortConcealment({ sampleRateHz: 8000 })
  concealment.pause(new Uint8Array())
  expect(measureLevels(concealment.conceal(frame())).rmsDbfs).toBe(Number.NEGATIVE_INFINITY)
})
