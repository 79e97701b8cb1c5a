import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SipParseError } from './sip-parse-error.ts'
import { parseSipUri, parseUri, serializeUri, type SipUri } from './uri.ts'

test.each<[uri: string, parsed: SipUri]>([
  [
    'sip:+9779812345678@trunk.example;user=phone',
    {
      scheme: 'sip',
      user: '+9779812345678',
      host: 'trunk.example',
      parameters: [['user', 'phone']],
      headers: [],
    },
  ],
  [
    'sips:alice:pass%3Aword@[2001:db8::1]:5061;LR?Subject=hi%20there&priority=',
    {
      scheme: 'sips',
      user: 'alice',
      password: 'pass:word',
      host: '2001:db8::1',
      port: 5061,
      parameters: [['lr', '']],
      headers: [
        ['subject', 'hi there'],
        ['priority', ''],
      ],
    },
  ],
  ['SIP:192.0.2.1', { scheme: 'sip', host: '192.0.2.1', parameters: [], headers: [] }],
])('reads %s', (uri, parsed) => {
  expect(parseUri(uri)).toEqual(parsed)
  expect(parseUri(serializeUri(parsed))).toEqual(parsed)
})

test('reads telephone numbers without their visual separators', () => {
  const parsed = { scheme: 'tel', number: '+12015550123', parameters: [] } as const
  expect(parseUri('tel:+1-(201).555-0123')).toEqual(parsed)
  expect(serializeUri(parsed)).toBe('tel:+12015550123')
  expect(parseUri('tel:7042;phone-context=example.com')).toEqual({
    scheme: 'tel',
    number: '7042',
    parameters: [['phone-context', 'example.com']],
  })
})

test('tolerates characters that their part does not list', () => {
  expect(parseUri('sip:{12}#^@b.example;x=a=b==')).toMatchObject({
    user: '{12}#^',
    parameters: [['x', 'a=b==']],
  })
})

test('leaves other schemes alone', () => {
  expect(parseUri('mailto:watson@bell-telephone.com')).toBeUndefined()
  expect(() => parseSipUri('mailto:watson@bell-telephone.com')).toThrow(SipParseError)
  expect(() => parseSipUri('tel:+12')).toThrow(SipParseError)
})

test.each([
  '',
  'sip',
  'sip:',
  ':a',
  'sip:@host',
  'sip:a@',
  'sip:a@b@c',
  'sip:a b@host',
  'sip:%@host',
  'sip:%4@host',
  'sip:%ff@host',
  'sip:host:',
  'sip:host:0',
  'sip:host:65536',
  'sip:host :5060',
  'sip:[::1',
  'sip:[fe80::1%25eth0]',
  'sip:[1.2.3.4]',
  'sip:-host',
  'sip:host;',
  'sip:host;a="b"',
  'sip:host;=x',
  'sip:host?',
  'sip:a@host\u00E9',
  'tel:',
  'tel:+',
  'tel:---',
  'tel:0x',
  'http://a b',
  'http://<a>',
])('refuses %j', (uri) => {
  expect(() => parseUri(uri)).toThrow(SipParseError)
})

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const pairs = fc.array(
  fc.tuple(
    text.map((name) => name.toLowerCase()),
    fc.oneof(fc.constant(''), text),
  ),
  { maxLength: 3 },
)

test('any text survives in any part', () => {
  const uris = fc.record(
    {
      scheme: fc.constantFrom('sip' as const, 'sips' as const),
      user: text,
      host: fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6()),
      port: fc.integer({ min: 1, max: 65_535 }),
      parameters: pairs,
      headers: pairs,
    },
    { requiredKeys: ['scheme', 'host', 'parameters', 'headers'] },
  )
  fc.assert(
    fc.property(uris, fc.option(text, { nil: undefined }), (uri, password) => {
      const whole = uri.user === undefined || password === undefined ? uri : { ...uri, password }
      const written = serializeUri(whole)
      expect(written).toMatch(/^[!-~]+$/)
      expect(parseUri(written)).toEqual(whole)
    }),
  )
})

test('throws nothing but its own error', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('sip:', 'sips:', 'tel:', ''),
      (rest, scheme) => {
        try {
          parseUri(scheme + rest)
        } catch (error) {
          expect(error).toBeInstanceOf(SipParseError)
        }
      },
    ),
  )
})
