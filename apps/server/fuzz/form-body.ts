import type { RouteMetadata } from '@vaani/contracts'
import fc from 'fast-check'
import { hostileName, hostileText } from './hostile.ts'
import type { FuzzBody } from './sent-body.ts'

/** The boundary of every form, whatever its content type declares. */
const BOUNDARY = 'b'
const CRLF = '\r\n'
const MAX_VALUE = 20_000
/** The first bytes of each accepted file type, and of some others. */
const STARTS = [
  '',
  '\xff\xd8\xff\xe0',
  '\x89PNG\r\n\x1a\n',
  'RIFF\0\0\0\0WEBPVP8 ',
  '\0\0\0\x18ftypmp42',
  '\x1aE\xdf\xa3',
  'GIF89a',
  '%PDF',
  'PK\x03\x04',
]
const HEADS = [
  '',
  'content-type: image/png',
  'content-type: text/plain; charset=utf-16',
  'content-type: application/json',
  'content-type: multipart/mixed; boundary=c',
  'content-transfer-encoding: base64',
  'x: '.padEnd(5000, 'a'),
]

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

/** Generates forms of known and unknown parts, intact and damaged. */
export function formOf(parts: NonNullable<RouteMetadata['parts']>): fc.Arbitrary<FuzzBody> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...Object.keys(parts)) },
    { weight: 1, arbitrary: hostileName.map(latin1) },
  )
  const part = fc
    .record({
      name,
      disposition: fc.oneof(
        { weight: 12, arbitrary: fc.constant('form-data') },
        { weight: 1, arbitrary: fc.constantFrom('attachment', '', "form-data; name*=UTF-8''%ff") },
      ),
      filename: fc.option(hostileText.map(latin1)),
      head: fc.constantFrom(...HEADS),
      start: fc.constantFrom(...STARTS),
      value: hostileText.map((text) => latin1(text).slice(0, MAX_VALUE)),
    })
    .map(({ name, disposition, filename, head, start, value }) => {
      const quoted = (text: string) => `"${text.replaceAll(/["\r\n]/g, '?')}"`
      const file = filename === null ? '' : `; filename=${quoted(filename)}`
      const fields = [
        `content-disposition: ${disposition}; name=${quoted(name)}${file}`,
        ...(head === '' ? [] : [head]),
      ]
      return `--${BOUNDARY}${CRLF}${fields.join(CRLF)}${CRLF}${CRLF}${start}${value}${CRLF}`
    })
  const damage = fc.oneof(
    { weight: 5, arbitrary: fc.constant((text: string) => text) },
    {
      weight: 1,
      arbitrary: fc
        .nat(500)
        .map((at) => (text: string) => text.slice(0, text.length - (at % (text.length + 1)))),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.nat(500), hostileText).map(
        ([at, more]) =>
          (text: string) =>
            text.slice(0, at) + latin1(more) + text.slice(at),
      ),
    },
  )
  return fc
    .tuple(fc.array(part, { maxLength: 7 }), fc.constantFrom(1, 1, 1, 20), damage)
    .map(([list, times, spoil]): FuzzBody => {
      const text = `${list.join('').repeat(times)}--${BOUNDARY}--${CRLF}`
      return { bytes: Buffer.from(spoil(text), 'latin1'), isKnownGood: false }
    })
}
