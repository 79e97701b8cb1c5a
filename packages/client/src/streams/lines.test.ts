import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutInto, cuts } from '../../test/support/cut.ts'
import { readLines } from './lines.ts'

async function* from(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
const linesOf = (text: string, sizes: readonly number[]): Promise<string[]> =>
  Array.fromAsync(
    readLines(from(cutInto(new TextEncoder().encode(text), sizes)), (fault) => new Error(fault)),
  )

const line = fc
  .string({ unit: 'binary' })
  .filter((text) => !/[\r\n]/.test(text) && !text.startsWith('\ufeff'))

test('yields the lines of the text whatever the chunk boundaries, even within characters', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n'))), cuts, async (lines, sizes) => {
      const text = lines.map((pair) => pair.join('')).join('')
      expect(await linesOf(text, sizes)).toEqual(lines.map(([line]) => line))
    }),
  ))

test.each([
  ['a last line without a line ending', 'one\ntwo', ['one', 'two']],
  ['empty lines', '\n\none\n', ['', '', 'one']],
  ['nothing', '', []],
])('%s', async (_, text, lines) => {
  expect(await linesOf(text, [1])).toEqual(lines)
})

test('refuses a line that is too long, without buffering all of it', async () => {
  let read = 0
  async function* endless() {
    for (;;) {
      read += 2 ** 20
      yield new Uint8Array(2 ** 20).fill(0x61)
    }
  }
  const lines = readLines(endless(), (fault) => new RangeError(fault))
  await expect(lines.next()).rejects.toThrow(new RangeError('line too long'))
  expect(read).toBeLessThan(2 ** 25)
})
