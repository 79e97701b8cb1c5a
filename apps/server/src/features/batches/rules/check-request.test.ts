import { expect, test } from 'vitest'
import { checkRequest } from './check-request.ts'

const CHAT = '/v1/chat/completions'
const MIB = 1_048_576

test('a body that becomes too large for its endpoint when it is written again is refused', () => {
  const body = (textBytes: number) => ({
    model: 'chat',
    messages: [{ role: 'user', content: 'x'.repeat(textBytes) }],
    tools: [{ type: 'function', function: { name: 'f', parameters: { enum: Array(40_000).fill(1e20) } } }],
  })
  const sentBytes = (textBytes: number) => textBytes + 40_000 * '1e20,'.length + 1000
  const check = (textBytes: number) =>
    checkRequest(CHAT, { custom_id: 'one', body: body(textBytes) }, sentBytes(textBytes))
  expect(check(3 * MIB).issues).toBeUndefined()
  expect(sentBytes(3.5 * MIB)).toBeLessThan(4 * MIB)
  expect(check(3.5 * MIB).issues).toMatchObject([{ path: ['body'], message: 'must be at most 4 MiB' }])
})

test('a line of OpenAI is a request, if its url is the endpoint of the batch', () => {
  const line = (url: string) => ({
    custom_id: 'one',
    method: 'POST',
    url,
    body: { model: 'chat', messages: [{ role: 'user', content: 'Hello' }] },
  })
  expect(checkRequest(CHAT, line(CHAT), 100).request).toEqual({ custom_id: 'one', body: line(CHAT).body })
  expect(checkRequest(CHAT, line('/v1/ocr/process'), 100).issues).toMatchObject([
    { path: ['url'], message: 'must be /v1/chat/completions, the endpoint of the batch' },
  ])
  expect(checkRequest(CHAT, { ...line(CHAT), method: 'GET' }, 100).issues).toMatchObject([
    { path: ['method'] },
  ])
})
