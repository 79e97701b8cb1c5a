import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { linesOf } from './lines-of.ts'

const refuse = (number: number, problem: string): Error => new Error(`${problem} ${number}`)

async function* inChunks(text: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < text.length; from += bytes) yield text.subarray(from, from + bytes)
}

async function read(text: string, chunkBytes: number, maxBytes = 100): Promise<[number, string][]> {
  const lines: [number, string][] = []
  const source = inChunks(Buffer.from(text), chunkBytes)
  for await (const { line, number } of linesOf(source, { maxBytes: () => maxBytes, refuse }))
    lines.push([number, line.toString()])
  return lines
}

test('lines have their numbers and bytes, wherever chunks end, and those of white space are left out', async () => {
  const parts = fc.array(fc.constantFrom('a', ' ', '\t', '\r', '\n', 'é', '\u00a0', '\f'), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 1, max: 9 }), async (characters, chunkBytes) => {
      const text = characters.join('')
      const expected = text
        .split('\n')
        .map((line, index): [number, string] => [index + 1, line])
        .filter(([, line]) => /[^ \t\r]/.test(line))
      expect(await read(text, chunkBytes)).toEqual(expected)
    }),
  )
})

test('a line has a longest, blank or not', async () => {
  for (const character of ['a', ' ']) {
    await expect(read(`a\n${character.repeat(101)}`, 10)).rejects.toThrow('line 2')
    await expect(read(`a\n${character.repeat(101)}\nb`, 1000)).rejects.toThrow('line 2')
  }
  expect(await read(`${' '.repeat(100)}\n${'a'.repeat(100)}`, 7)).toEqual([[2, 'a'.repeat(100)]])
})

/** Bytes that note which of them are looked at one by one. */
function watched(text: string) {
  const looks: number[] = []
  const bytes = new Proxy(Buffer.from(text), {
    get(buffer, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) looks.push(Number(name))
      const value: unknown = Reflect.get(buffer, name, buffer)
      return typeof value === 'function' ? value.bind(buffer) : value
    },
  })
  return { bytes, looks }
}

test('a line that is too long is refused before it is looked through', async () => {
  const { bytes, looks } = watched(' '.repeat(10_000))
  async function* source() {
    yield bytes
  }
  const reading = linesOf(source(), { maxBytes: () => 100, refuse }).next()
  await expect(reading).rejects.toThrow('line 1')
  expect(looks).toEqual([])
})

test('white space is looked through chunk by chunk, and no function is called for each byte', async () => {
  const every = vi.spyOn(Uint8Array.prototype, 'every')
  const concat = vi.spyOn(Buffer, 'concat')
  expect(await read(' '.repeat(1000), 10, 1000)).toEqual([])
  expect(await read(`${' '.repeat(990)}a`, 10, 1000)).toHaveLength(1)
  const calls = { every: every.mock.calls.length, concat: concat.mock.calls.length }
  vi.restoreAllMocks()
  // One line is joined, and the blank one never.
  expect(calls).toEqual({ every: 0, concat: 1 })
})

test('leaves out lines of white space, also after a byte order mark, but counts them', async () => {
  const lines = [[2, 'a']]
  for (const blank of ['', ' \t\r', '\ufeff', '\ufeff \r']) {
    expect(await read(`${blank}\na\n${blank}\n${blank}`, 1)).toEqual(lines)
  }
})

test('keeps the mark of a line with content, and what is not a whole mark', async () => {
  expect(await read('\ufeffa\n\u200b\n\ufeff\ufeff', 1)).toEqual([
    [1, '\ufeffa'],
    [2, '\u200b'],
    [3, '\ufeff\ufeff'],
  ])
})
