import { expect, test } from 'vitest'
import { parseRequests } from './parse-requests.ts'

const one = { custom_id: 'a', body: { model: 'chat' } }

test('requests are read by line', () => {
  expect(parseRequests(`${JSON.stringify(one)}\n\n${JSON.stringify({ ...one, custom_id: 'b' })}\n`)).toEqual([
    one,
    { ...one, custom_id: 'b' },
  ])
})

test('files that begin with a byte order mark may be joined', () => {
  const line = `\ufeff${JSON.stringify(one)}\n`
  expect(parseRequests(line + line)).toEqual([one, one])
})

test.each(['secret', '[]', '{"custom_id":"a"}', '{"custom_id":1,"body":{}}', '{"custom_id":"a","body":1}'])(
  'a line is refused by its number: %s',
  (line) => {
    const parse = () => parseRequests(`${JSON.stringify(one)}\n${line}`)
    expect(parse).toThrow('line 2 must be JSON with a custom_id and a body')
    expect(parse).not.toThrow('secret')
  },
)
