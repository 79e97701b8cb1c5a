import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundaryOf, MOST_EARLY_BYTES, MOST_EARLY_CHUNKS, readEarlySubject } from './read-early-subject.ts'
import { readSubject } from './read-subject.ts'

const part = (name: string, value: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

test('finds the external id among the texts that a form begins with', () => {
  const form = Buffer.from(part('callback_url', 'https://a.example/') + part('external_id', 'नमस्ते') + '--b--')
  expect(readEarlySubject('b', [form])).toEqual({ externalId: 'नमस्ते' })
})

test.each([
  ['a file comes first', part('front_image', 'x', '; filename="a"') + part('external_id', 'p')],
  ['its part has more headers', part('external_id', 'p', '\r\nContent-Type: text/plain')],
  ['it is not there', `${part('callback_url', 'p')}--b--\r\n`],
  ['the form has a preamble', `hello\r\n${part('external_id', 'p')}`],
  ['its beginning is too long', part('callback_url', 'p'.repeat(MOST_EARLY_BYTES))],
])('leaves it to the parser if %s', (_, form) => {
  expect(readEarlySubject('b', [Buffer.from(form)])).toBe('unknown')
})

test('waits for more of a form until it shows', () => {
  const form = Buffer.from(part('callback_url', 'https://a.example/') + part('external_id', 'p') + '--b--')
  const shows = form.indexOf('--b--') - 1
  for (let end = 0; end < shows; end++)
    expect(readEarlySubject('b', [form.subarray(0, end)]), `after ${end}`).toBe('unfinished')
  expect(readEarlySubject('b', [form])).toEqual({ externalId: 'p' })
})

test('reads on over chunks, and leaves a form of too many pieces to the parser', () => {
  const bytes = [...Buffer.from(part('external_id', 'p'))].map((byte) => Buffer.from([byte]))
  expect(readEarlySubject('b', bytes.slice(0, MOST_EARLY_CHUNKS - 1))).toBe('unfinished')
  expect(readEarlySubject('b', bytes.slice(0, MOST_EARLY_CHUNKS))).toBe('unknown')
  const [head, tail] = [
    Buffer.from(part('external_id', 'p').slice(0, 40)),
    Buffer.from(`${part('external_id', 'p').slice(40)}--b--`),
  ]
  expect(readEarlySubject('b', [head, tail])).toEqual({ externalId: 'p' })
})

test('never says anything else than the parser does', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\r\n',
      '--b',
      '--b--',
      '\r\n--b\r\n',
      '"',
      '; filename="a"',
      'external_id',
      ': ',
      'name=',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.string().map((value) => part('external_id', value)),
    fc
      .tuple(fc.constantFrom('callback_url', 'front_image'), fc.string())
      .map(([name, value]) => part(name, value)),
  )
  await fc.assert(
    // The parser takes no more parts than a submission has.
    fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (pieces) => {
      const form = Buffer.from(`${pieces.join('')}\r\n--b--\r\n`)
      const early = readEarlySubject('b', [form])
      fc.pre(typeof early === 'object')
      const reader = readSubject('multipart/form-data; boundary=b', () => undefined)
      reader.write(form)
      reader.end()
      expect(early).toEqual({ externalId: await reader.subject })
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b"', 'a b'],
  ['multipart/form-data', null],
  ['multipart/mixed; boundary=abc', null],
  ['application/json', null],
])('the boundary of %s', (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary)
})
