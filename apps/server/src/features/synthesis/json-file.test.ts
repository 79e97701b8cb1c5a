import { expect, test } from 'vitest'
import { jsonFile } from './json-file.ts'

async function* chunksOf(lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let value = 0
  for (const length of lengths) yield Uint8Array.from({ length }, () => value++)
}

test.each([[[]], [[1]], [[2]], [[3]], [[1, 1, 1, 1]], [[5, 0, 4, 1000, 7]]])(
  'joins chunks of %j bytes to one JSON text of the announced length',
  async (lengths) => {
    const file = Buffer.concat(await Array.fromAsync(chunksOf(lengths)))
    const { bytes, chunks } = jsonFile({ voice: 'a"b' }, { bytes: file.length, chunks: chunksOf(lengths) })
    const text = Buffer.concat(await Array.fromAsync(chunks))
    expect(text.length).toBe(bytes)
    expect(JSON.parse(text.toString())).toEqual({ voice: 'a"b', audio_b64: file.toString('base64') })
  },
)

test('does not know its length if the file does not', () => {
  expect(jsonFile({ a: 1 }, { bytes: undefined, chunks: chunksOf([]) }).bytes).toBe(undefined)
})
