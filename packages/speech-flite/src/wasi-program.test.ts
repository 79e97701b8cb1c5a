import { expect, test } from 'vitest'
import { constantBytesOf } from './constant-bytes.ts'
import { compileCommand, createWasiProgram } from './wasi-program.ts'

/** A command that adds one to the first byte of its memory, and fails if it finds that it has run before. */
const COUNTER = Uint8Array.from(
  Buffer.from(
    [
      '0061736d01000000',
      // A function without parameters, and a page of memory.
      '01040160000003020100050301000107',
      // Exports `memory` and `_start`.
      '1302066d656d6f72790200065f73746172740000',
      // if (memory[0] != 0) unreachable; memory[0] = 1
      '0a1401120041002d00000440000b410041013a00000b',
    ].join(''),
    'hex',
  ),
)

test('each run begins with fresh memory', async () => {
  const program = createWasiProgram(await compileCommand(COUNTER))
  for (let run = 0; run < 3; run++) expect(program.run([])).toEqual({ printed: '', file: new Uint8Array(0) })
})

test('a program without what a command has is refused', async () => {
  const empty = await compileCommand(COUNTER.slice(0, 8))
  expect(() => createWasiProgram(empty).run([])).toThrow(TypeError)
})

/** A module with a page of memory and these segments, each with its address and a byte. */
const moduleOf = (...segments: [address: number[], byte: number][]) =>
  Uint8Array.from(
    [
      [...Buffer.from('0061736d01000000', 'hex')],
      [0x05, 0x03, 0x01, 0x00, 0x01],
      [0x0b, 1 + segments.reduce((sum, [address]) => sum + address.length + 5, 0), segments.length],
      segments.flatMap(([address, byte]) => [0x00, 0x41, ...address, 0x0b, 0x01, byte]),
    ].flat(),
  )

test('constants end where the variables begin, and a program of another layout has none', async () => {
  const [at1024, at2048] = [
    [0x80, 0x08],
    [0x80, 0x10],
  ]
  const modules = {
    both: moduleOf([at1024, 7], [at2048, 8]),
    swapped: moduleOf([at2048, 7], [at1024, 8]),
    one: moduleOf([at1024, 7]),
    none: COUNTER,
  }
  const constants = Object.entries(modules).map(([name, bytes]) => [name, constantBytesOf(bytes)])
  expect(Object.fromEntries(constants)).toEqual({ both: 2048, swapped: 0, one: 0, none: 0 })
  for (const bytes of Object.values(modules)) await expect(compileCommand(bytes)).resolves.toBeDefined()
})
