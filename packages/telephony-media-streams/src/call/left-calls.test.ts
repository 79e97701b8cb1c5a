import { expect, test } from 'vitest'
import { createLeftCalls } from './left-calls.ts'

function open() {
  const hungUp: string[] = []
  let nowMs = 0
  const left = createLeftCalls({ hangUp: (callSid) => hungUp.push(callSid), monotonicMs: () => nowMs })
  const report = (reference: string, type: 'ringing' | 'completed') =>
    left.report(reference, { callSid: reference, sequence: 1, progress: { type } })
  return { left, report, hungUp, pass: (ms: number) => void (nowMs += ms) }
}

test('a call that was given up is hung up whenever it is reported, until it is over', () => {
  const { left, report, hungUp } = open()
  left.add('one', 60_000)
  report('one', 'ringing')
  report('one', 'ringing')
  report('one', 'completed')
  report('one', 'ringing')
  report('another', 'ringing')
  expect(hungUp).toEqual(['one', 'one'])
})

test('it is forgotten when it cannot last any more, and when there are too many', () => {
  const { left, report, hungUp, pass } = open()
  left.add('one', 60_000)
  pass(119_999)
  report('one', 'ringing')
  pass(1)
  report('one', 'ringing')
  expect(hungUp).toEqual(['one'])
  for (let call = 0; call < 1001; call += 1) left.add(`call ${call}`, 60_000)
  report('call 0', 'ringing')
  report('call 1', 'ringing')
  expect(hungUp).toEqual(['one', 'call 1'])
})
