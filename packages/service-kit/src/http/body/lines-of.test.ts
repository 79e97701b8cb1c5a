import { expect, test } from 'vitest'
import { linesOf } from './lines-of.ts'

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
}

async function read(text: string): Promise<[number, string][]> {
  const limits = { maxBytes: () => 10, refuse: (number: number) => new Error(`line ${number}`) }
  const lines = await Array.fromAsync(linesOf(bytesOf(text), limits))
  return lines.map(({ line, number }) => [number, line.toString()])
}

test('leaves out lines of white space, also after a byte order mark, but counts them', async () => {
  const lines = [[2, 'a']]
  for (const blank of ['', ' \t\r', '\ufeff', '\ufeff \r']) {
    expect(await read(`${blank}\na\n${blank}\n${blank}`)).toEqual(lines)
  }
})

test('keeps the mark of a line with content, and what is not a whole mark', async () => {
  expect(await read('\ufeffa\n\u200b\n\ufeff\ufeff')).toEqual([
    [1, '\ufeffa'],
    [2, '\u200b'],
    [3, '\ufeff\ufeff'],
  ])
})
