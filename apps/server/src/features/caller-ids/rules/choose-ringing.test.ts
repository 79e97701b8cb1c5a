import { expect, test } from 'vitest'
import { chooseRinging } from './choose-ringing.ts'

test.each([
  ['a real carrier rings a phone, in either mode', [false, false, false], 'phone'],
  ['a real carrier rings a phone, in either mode', [true, false, false], 'phone'],
  ['test mode with simulators only is simulated', [false, true, true], 'simulated'],
  ['a simulator beside real carriers is heard by nobody', [false, true, false], 'unheard'],
  ['a simulator in live mode is heard by nobody', [true, true, true], 'unheard'],
] as const)('%s', (_, [livemode, isSimulator, isModeSimulated], ringing) => {
  expect(chooseRinging({ livemode, isSimulator, isModeSimulated })).toBe(ringing)
})
