import { expect, test } from 'vitest'
import { letRmsFollowPitch } from './follow-pitch.ts'

/** A module in which this record begins at the third byte. */
function programWith({ meanHz = 98, deviationHz = 24, spamF0 = 1, gain = 1.5 } = {}) {
  const bytes = Buffer.from(new ArrayBuffer(160))
  bytes.writeInt32LE(16_000, 3)
  bytes.writeFloatLE(meanHz, 7)
  bytes.writeFloatLE(deviationHz, 11)
  bytes.writeInt32LE(spamF0, 139)
  bytes.writeFloatLE(gain, 143)
  return new Uint8Array(bytes.buffer)
}

test('the second model of the pitch is switched off, and nothing else', () => {
  const program = programWith()
  letRmsFollowPitch(program)
  expect(program).toEqual(programWith({ spamF0: 0 }))
})

test.each([
  ['another speaker', programWith({ meanHz: 132, deviationHz: 25 })],
  ['another record', programWith({ gain: 1 })],
  ['a record without that model', programWith({ spamF0: 0 })],
  ['two such records', Uint8Array.of(...programWith(), ...programWith())],
  ['a record that is cut short', programWith().slice(0, 140)],
  ['nothing', new Uint8Array(0)],
])('%s is refused and left as it is', (_, program) => {
  const before = program.slice()
  expect(() => letRmsFollowPitch(program)).toThrow(TypeError)
  expect(program).toEqual(before)
})
