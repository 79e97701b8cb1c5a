import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'
import type { BatchSink } from './sink.ts'

async function read(...chunks: string[]): Promise<(string | number)[][]> {
  const added: (string | number)[][] = []
  const sink: BatchSink = {
    begin: () => undefined,
    async add(text, path) {
      added.push([text.toString(), ...path])
    },
    end: async () => 0,
  }
  async function* source() {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  await readLines(source(), sink)
  return added
}

test('requests keep the numbers of their lines, wherever blank lines and chunks end', async () => {
  const text = '\n \r\n{"endpoint":"/v1/chat/completions"}\n\n{"a":1}\r\n\t\n\n{"b":2}'
  const expected = [
    ['{"a":1}\r', 'lines', 5],
    ['{"b":2}', 'lines', 8],
  ]
  expect(await read(text)).toEqual(expected)
  expect(await read(...text)).toEqual(expected)
  expect(await read(`${text}\n\n`)).toEqual(expected)
})
