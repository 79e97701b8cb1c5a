import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { parseJson } from './parse-json.ts'

test('parses JSON as JSON.parse does', () => {
  const values = fc.jsonValue({ maxDepth: 5 })
  fc.assert(
    fc.property(values, fc.boolean(), (value, isMarked) => {
      const text = JSON.stringify(value, null, 1)
      const hasProto = /__proto__|"constructor"/.test(text)
      if (!hasProto) expect(parseJson(`${isMarked ? '\ufeff' : ''}${text}`)).toEqual(JSON.parse(text))
    }),
  )
})

test.each(['', '\ufeff', '\ufeff\ufeff{}', '{"a":1,}', '12345678901234567890,'])('%j is not JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})

test.each([
  ['{"metadata":{"order":9007199254740993}}', 'metadata.order'],
  ['{"items":[1,{"id":-12345678901234567890}]}', 'items.1.id'],
  ['{"a":"b","c":[[],[0,9007199254740993]]}', 'c.1.1'],
  [`{"a":${'1'.repeat(400)}}`, 'a'],
  ['{"\\"9007199254740993":9007199254740993}', '"9007199254740993'],
  ['{"a": [true, 9007199254740993]}', 'a.1'],
  ['{"a":9007199254740993.0}', 'a'],
  ['{"a":-9007199254740993e0}', 'a'],
  ['{"a":90071992547409930E-1}', 'a'],
])('refuses an integer that would change in %s', (text, param) => {
  expect(() => parseJson(text)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      param,
      message: expect.stringContaining('or a string'),
    }),
  )
})

test.each([
  [`{"seed":${'1'.repeat(1101)}}`, 'seed'],
  [`{"a":[0.${'1'.repeat(1100)}]}`, 'a.0'],
  [`{"a":"b","c":1e${'0'.repeat(1100)}1}`, 'c'],
])('refuses a number of more characters than any double has: %#', (text, param) => {
  expect(() => parseJson(text)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      param,
      message: `${param}: is a number of more than 1100 characters`,
    }),
  )
})

test('keeps the double with the longest decimal', () => {
  const text = `{"a":-0.${'0'.repeat(323)}4940656458412465,"b":-0.${'0'.repeat(323)}${'4'.repeat(751)}}`
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test.each([
  ['a long number', `{"a":1.${'1'.repeat(1000)}}`],
  ['many numbers', `[${'1.1111111111111111111,'.repeat(1000)}0]`],
  ['a long text', `{"a":0.1111111111111111111,"b":"${'1'.repeat(10_000)}"}`],
])('tests no expression for each character of %s', (_, text) => {
  const tested = vi.spyOn(RegExp.prototype, 'test')
  parseJson(text)
  const count = tested.mock.calls.length
  tested.mockRestore()
  expect(count).toBeLessThanOrEqual(1001)
})

test('a bare integer has no param', () => {
  expect(() => parseJson('9007199254740993')).toThrow(expect.objectContaining({ param: null }))
})

test.each([
  '{"a":9007199254740991}',
  '{"a":-9007199254740992}',
  '{"a":1000000000000000000000}',
  '{"a":9007199254740992.0,"b":1152921504606846976,"c":9007199254740993.5,"d":0.0000000000000000}',
  '{"a":-26278409323908150}',
  '{"a":27.717244812345678,"b":1e300,"c":0.1234567890123456789}',
  '{"a":"9007199254740993","9007199254740993":true}',
  '{"a":"\\"9007199254740993\\\\"}',
])('keeps %s', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test.each([
  ['{"__proto__":{}}', '__proto__'],
  ['{"metadata":{"a":[{"__proto__":null}]}}', 'metadata.a.0.__proto__'],
  [String.raw`{"\u005f_proto__":1}`, '__proto__'],
  ['{"constructor":{"prototype":{}}}', 'constructor.prototype'],
])('names the member that is not accepted in %s', (text, param) => {
  expect(() => parseJson(text)).toThrow(ApiError)
  expect(() => parseJson(text)).toThrow(
    expect.objectContaining({ code: 'invalid_request', param, message: `${param}: is not an accepted name` }),
  )
})

test.each(['{"constructor":{"a":1}}', '{"a":"__proto__"}', '{"prototype":{}}'])('accepts %s', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test('finds a long integer wherever it stands', () => {
  const integers = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  fc.assert(
    fc.property(
      fc.string({ maxLength: 40 }).filter((name) => name !== '__proto__'),
      integers,
      (name, integer) => {
        const text = `{${JSON.stringify(name)}:"","id":${integer}}`
        if (BigInt(Number(integer)) === integer || String(Number(integer)) === String(integer))
          expect(parseJson(text)).toHaveProperty('id', Number(integer))
        else expect(() => parseJson(text)).toThrow(expect.objectContaining({ param: 'id' }))
      },
    ),
  )
})
