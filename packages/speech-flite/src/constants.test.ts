import { expect, test, vi } from 'vitest'
import { createFlite } from './flite.ts'
import { loadProgram } from './load-program.ts'
import { SAMPLE_RATE_HZ } from './messages.ts'
import { createWasiProgram } from './wasi-program.ts'
import type * as webAssembly from './web-assembly.ts'

const memories = vi.hoisted((): webAssembly.ProgramMemory[] => [])
vi.mock('./web-assembly.ts', async (original) => {
  const real = await original<typeof webAssembly>()
  function Instance(...parameters: ConstructorParameters<typeof real.Instance>) {
    const instance = new real.Instance(...parameters)
    if (instance.exports['memory'] instanceof real.Memory) memories.push(instance.exports['memory'])
    return instance
  }
  return { ...real, Instance }
})

test('no run changes the constants', async () => {
  const command = await loadProgram()
  expect(command.constantBytes).toBe(17_087_088)
  const flite = createFlite(command)
  const manner = { stretch: 1, pitchHz: 120, deviationHz: 20, takenAtHz: SAMPLE_RATE_HZ, gainDb: 0 }
  const texts = ['Good morning', '12.5 % of $3,000', '"(a) [b]" -- x_y \\ ~ | ^', 'z'.repeat(60), ', . ;']
  const constants = () => Buffer.from(memories.at(-1)?.buffer ?? new ArrayBuffer(0), 0, command.constantBytes)
  flite.speak({ ...manner, voice: 'kal16', words: ['One'], marksWords: false })
  const before = Buffer.from(constants())
  for (const voice of ['kal16', 'slt', 'rms', 'awb'] as const)
    for (const text of texts) flite.speak({ ...manner, voice, words: text.split(' '), marksWords: true })
  expect(constants().equals(before)).toBe(true)
})

test('constants that a fault has overwritten are restored after at most a hundred runs', async () => {
  const command = await loadProgram()
  const program = createWasiProgram(command)
  const run = () => program.run(['flite', '-voice', 'kal16', '-o', '/speech.wav', '-t', 'One'])
  run()
  const byte = new Uint8Array(memories.at(-1)?.buffer ?? new ArrayBuffer(0), command.constantBytes - 1, 1)
  byte[0] = (byte[0] ?? 0) + 1
  const overwritten = byte[0]
  run()
  expect(byte[0]).toBe(overwritten)
  for (let index = 0; index < 98; index++) run()
  expect(byte[0]).toBe(overwritten - 1)
})
