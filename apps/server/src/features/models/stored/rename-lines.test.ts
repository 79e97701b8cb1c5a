import { LIMITS } from '@vaani/contracts'
import { expect, test } from 'vitest'
import { renameRequests, renameResults } from './rename-lines.ts'

const OURS = { name: 'chat-large', upstream: 'vendor', model: 'their-large' }
const lineOf = (model: string) => JSON.stringify({ custom_id: 'one', body: { model, input: 'नमस्ते' } })

async function* byBytes(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
const textOf = async (chunks: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Array.fromAsync(chunks)).toString()
const rename = (text: string, size = text.length) =>
  textOf(renameRequests(byBytes(text, size), { choose: () => OURS, onChosen: () => undefined }))

test.each([1, 2, 7, 1000])('requests are renamed however their bytes arrive (%i at a time)', async (size) => {
  const text = `${lineOf('chat-large')}\r\n\n  \n${lineOf('chat-large')}`
  expect(await rename(text, size)).toBe(`${lineOf('their-large')}\n`.repeat(2))
})

test.each([
  ['{"body":{"model":"chat-large"}}\n[]', 'line 2'],
  [`${lineOf('chat-large')}\n${lineOf('other')}`, 'line 2 has another model'],
  ['\n'.repeat(LIMITS.batchLinesMax + 1), 'lines'],
  [
    `{"body":{"model":"chat-large","input":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    'line 1 is nested',
  ],
  [`{"body":{"model":"chat-large","input":[${'0,'.repeat(60_000)}0]}}`, 'line 1 has more than 50000'],
  [`{"body":{"model":"chat-large","seed":${'1'.repeat(4_000_000)}}}`, 'line 1 has a number'],
  [' '.repeat(5_000_000), 'line 1 is over'],
  ['', 'no requests'],
])('a faulty file is refused', async (text, problem) => {
  await expect(rename(text)).rejects.toThrow(problem)
})

test('results have the name that requests use, and what cannot be kept as it is stays so', async () => {
  const result = (model: string) => JSON.stringify({ custom_id: 'one', response: { body: { model } } })
  const large = '{"custom_id":"two","response":{"body":{"model":"their-large","seed":9007199254740993}}}'
  const text = [
    result('their-large'),
    lineOf('their-large'),
    '{"custom_id":"three","error":{}}',
    large,
    'junk',
  ].join('\n')
  expect(await textOf(renameResults(byBytes(text, 5), 'chat-large'))).toBe(
    [result('chat-large'), lineOf('chat-large'), '{"custom_id":"three","error":{}}', large, 'junk', ''].join(
      '\n',
    ),
  )
})
