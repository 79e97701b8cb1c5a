import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'
import type { BatchSink } from './sink.ts'

const SINK: BatchSink = { begin: () => undefined, add: async () => undefined, end: async () => 0 }

async function read(...chunks: string[]): Promise<(string | number)[][]> {
  const added: (string | number)[][] = []
  const sink: BatchSink = {
    ...SINK,
    async add(text, path) {
      added.push([text.toString(), ...path])
    },
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

test('a batch file of OpenAI is read as it is: its first request names the endpoint', async () => {
  const lines = ['1', '2'].map(
    (id) =>
      `{"custom_id":"${id}","method":"POST","url":"/v1/chat/completions","body":{"model":"echo","messages":[]}}`,
  )
  expect(await read(lines.join('\n'))).toEqual([
    [lines[0], 'lines', 1],
    [lines[1], 'lines', 2],
  ])
  await expect(read('{"custom_id":"1","method":"POST","url":"/v1/files","body":{}}')).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'lines.1.url',
  })
})

/** A body that reports how much of it was read. */
function measured(piece: string, count: number) {
  const asked = { pieces: 0 }
  async function* source() {
    yield Buffer.from('{"endpoint":"/v1/audio/speech"}\n')
    for (; asked.pieces < count; asked.pieces++) yield Buffer.from(piece)
  }
  return { asked, reading: readLines(source(), SINK) }
}

test('blank lines count toward the limit of lines, and past it nothing more is read', async () => {
  const { asked, reading } = measured('\n'.repeat(10_000), 3000)
  await expect(reading).rejects.toMatchObject({ code: 'invalid_request', param: 'lines' })
  expect(asked.pieces).toBe(2)
  const many = `${'\n'.repeat(24_998)}{"a":1}`
  expect(await read('{"endpoint":"/v1/audio/speech"}\n', many)).toEqual([['{"a":1}', 'lines', 25_000]])
})

test('a line that is larger than a request may be is refused before it has arrived', async () => {
  const { asked, reading } = measured(' '.repeat(65_536), 500)
  await expect(reading).rejects.toMatchObject({ code: 'invalid_request', param: 'lines.2.body' })
  expect(asked.pieces).toBe(4)
})
