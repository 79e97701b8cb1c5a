import { expect, test } from 'vitest'
import { createWasiProgram } from './wasi-program.ts'
import { compile } from './web-assembly.ts'

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
  const program = createWasiProgram(await compile(COUNTER))
  for (let run = 0; run < 3; run++) expect(program.run([])).toEqual({ printed: '', file: new Uint8Array(0) })
})

test('a program without what a command has is refused', async () => {
  const empty = await compile(COUNTER.slice(0, 8))
  expect(() => createWasiProgram(empty).run([])).toThrow(TypeError)
})
