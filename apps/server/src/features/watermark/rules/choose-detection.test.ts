import { expect, test } from 'vitest'
import { chooseDetection } from './choose-detection.ts'

const detection = (falseAlarmProbability: number) => ({
  isPresent: falseAlarmProbability <= 1e-4,
  score: 5,
  falseAlarmProbability,
  payload: null,
  codedBitErrorRate: null,
  speed: 1,
  isPitchKept: false,
})

test('takes the key that fits best, and counts every key that was tried', () => {
  expect(chooseDetection([detection(0.5), detection(2 ** -30), detection(1)])).toEqual({
    ...detection(2 ** -30),
    falseAlarmProbability: 3 * 2 ** -30,
  })
  expect(chooseDetection([detection(0.7), detection(0.8)]).falseAlarmProbability).toBe(1)
})
