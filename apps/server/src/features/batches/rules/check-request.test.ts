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
