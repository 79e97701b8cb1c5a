import type { ErrorBody } from '@vaani/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnection } from '../fuzz/connection.ts'
import type { Answer } from '../fuzz/parse-answer.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** Submissions that no HTTP client sends, byte for byte. */
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { roles: new Set(['api']) } })
})
afterAll(() => server[Symbol.asyncDispose]())

async function submit(
  path: string,
  type: string | null,
  body: string | Buffer,
  fields: readonly string[] = [],
) {
  using connection = await openConnection(server.url)
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${server.key}`,
    ...(type === null ? [] : [`content-type: ${type}`]),
    ...fields,
    `content-length: ${body.length}`,
  ]
  await connection.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n`))
  await connection.write(Buffer.from(body as string, 'latin1'))
  const answer = await connection.next()
  if (typeof answer === 'string') throw new Error(`The server did not respond: ${answer}`)
  return answer
}

function expectError(answer: Answer, status: number, code: string) {
  const { error } = JSON.parse(answer.body.toString()) as ErrorBody
  expect({ status: answer.status, code: error.code }).toEqual({ status, code })
  expect(answer.headers.get('x-request-id')).toEqual([error.request_id])
}

const FORM = 'multipart/form-data; boundary=b'
const part = (head: string, value: string) => `--b\r\n${head}\r\n\r\n${value}\r\n`
const field = (name: string, value: string) => part(`content-disposition: form-data; name="${name}"`, value)
const file = (name: string, value: string, more = '') =>
  part(
    `content-disposition: form-data; name="${name}"; filename="a"${more}\r\ncontent-type: image/png`,
    value,
  )
const END = '--b--\r\n'
const INVALID = [400, 'invalid_request'] as const
const MISSING = [400, 'missing_artifact'] as const
const OTHER_TYPE = [415, 'unsupported_media_type'] as const
const UNREADABLE = [422, 'media_unreadable'] as const

describe('version 1', () => {
  test.each<[string, string | null, string, readonly [number, string]]>([
    ['no type', null, END, OTHER_TYPE],
    ['JSON', 'application/json', '{}', OTHER_TYPE],
    ['no boundary', 'multipart/form-data', END, OTHER_TYPE],
    ['an empty boundary', 'multipart/form-data; boundary=', END, OTHER_TYPE],
    ['an empty quoted boundary', 'multipart/form-data; boundary=""', END, OTHER_TYPE],
    ['a boundary past 70 characters', `multipart/form-data; boundary=${'b'.repeat(71)}`, END, OTHER_TYPE],
    ['a boundary of 8,000 characters', `multipart/form-data; boundary=${'b'.repeat(8000)}`, END, OTHER_TYPE],
    ['another boundary', 'multipart/form-data; boundary=c', field('external_id', 'a') + END, INVALID],
    ['another multipart', 'multipart/mixed; boundary=b', END, OTHER_TYPE],
    ['nothing', FORM, '', MISSING],
    ['only the closing boundary', FORM, END, MISSING],
    ['a truncated form', FORM, file('front_image', 'a').slice(0, -4), INVALID],
    ['a form truncated within a part header', FORM, '--b\r\ncontent-disposition: form-da', INVALID],
    ['a form without its end', FORM, field('external_id', 'a'), INVALID],
    ['a part without a name', FORM, part('content-disposition: form-data', 'a') + END, INVALID],
    ['a file without a name', FORM, part('content-disposition: form-data; filename="a"', 'a') + END, INVALID],
    ['a part with an empty name', FORM, field('', 'a') + END, INVALID],
    ['a part without a head', FORM, `--b\r\n\r\na\r\n${END}`, MISSING],
    [
      'a part of another disposition',
      FORM,
      part('content-disposition: attachment; name="a"', 'a') + END,
      MISSING,
    ],
    ['an unknown part', FORM, field('unknown', 'a') + END, INVALID],
    ['a prototype', FORM, field('__proto__', 'a') + END, INVALID],
    ['the name of a function', FORM, field('toString', 'a') + END, INVALID],
    ['a name of 10,000 characters', FORM, field('a'.repeat(10_000), 'a') + END, INVALID],
    [
      'a part with 3,000 head fields',
      FORM,
      part(`${'a: b\r\n'.repeat(3000)}content-disposition: form-data; name="external_id"`, 'a') + END,
      MISSING,
    ],
    [
      'a part with a head of 100 kB',
      FORM,
      part(`content-disposition: form-data; name="external_id"; a="${'b'.repeat(100_000)}"`, 'a') + END,
      MISSING,
    ],
    ['a text of 1 MB', FORM, field('external_id', 'a'.repeat(1_000_000)) + END, INVALID],
    ['an empty text, which counts as absent', FORM, field('external_id', '') + END, MISSING],
    ['an empty address, which counts as absent', FORM, field('callback_url', '') + END, MISSING],
    ['a text with U+0000', FORM, field('external_id', 'a\0') + END, INVALID],
    [
      'a text that is JSON',
      FORM,
      part(
        'content-disposition: form-data; name="external_id"\r\ncontent-type: application/json',
        '{"a":1}',
      ) + END,
      INVALID,
    ],
    [
      'a text declared as JSON, but invalid',
      FORM,
      part('content-disposition: form-data; name="external_id"\r\ncontent-type: application/json', '{') + END,
      INVALID,
    ],
    ['a text as a file', FORM, file('external_id', 'a') + END, INVALID],
    ['a file as a text', FORM, field('front_image', 'a') + END, MISSING],
    ['an empty file', FORM, file('front_image', '') + END, MISSING],
    ['a file in a charset', FORM, file('front_image', 'a', `; filename*=UTF-8''%ff%00`) + END, MISSING],
    [
      'a file that is a form',
      FORM,
      part(
        'content-disposition: form-data; name="front_image"; filename="a"\r\ncontent-type: multipart/mixed; boundary=c',
        '--c\r\n\r\na\r\n--c--',
      ) + END,
      MISSING,
    ],
    [
      'a form within a form',
      FORM,
      part(
        'content-disposition: form-data; name="external_id"\r\ncontent-type: multipart/mixed; boundary=c',
        '--c\r\n\r\na\r\n--c--',
      ) + END,
      INVALID,
    ],
    ['fifty fields', FORM, field('external_id', 'a').repeat(50) + END, INVALID],
    ['fifty files', FORM, file('front_image', 'a').repeat(50) + END, INVALID],
  ])('%s', async (_, type, body, [status, code]) => {
    for (const fields of [[], [`idempotency-key: ${crypto.randomUUID()}`]])
      expectError(await submit('/identity/kyc/v1', type, body, fields), status, code)
  })
})

describe('version 2', () => {
  const JSON_TYPE = 'application/json'
  const text = (fields: string) => `{"front_image_b64":"aaaa","liveness_video_b64":"aaaa"${fields}}`
  test.each<[string, string | null, string, readonly [number, string]]>([
    ['no type and no body', null, '', INVALID],
    ['no type', null, '{}', OTHER_TYPE],
    ['no body', JSON_TYPE, '', INVALID],
    ['a form', FORM, END, OTHER_TYPE],
    ['text', 'text/plain', '{}', OTHER_TYPE],
    ['a list', JSON_TYPE, '[]', INVALID],
    ['a text', JSON_TYPE, '"a"', INVALID],
    ['a number', JSON_TYPE, '1', INVALID],
    ['null', JSON_TYPE, 'null', INVALID],
    ['an empty object', JSON_TYPE, '{}', MISSING],
    ['a truncated object', JSON_TYPE, '{"front_image_b64":"aa', INVALID],
    ['media that is null', JSON_TYPE, '{"front_image_b64":null}', MISSING],
    ['media that is an object', JSON_TYPE, '{"front_image_b64":{}}', MISSING],
    ['brackets', JSON_TYPE, '['.repeat(262_000), INVALID],
    ['100,000 levels', JSON_TYPE, '['.repeat(100_000) + ']'.repeat(100_000), INVALID],
    [
      '100,000 levels in a field',
      JSON_TYPE,
      text(`,"options":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
      INVALID,
    ],
    [
      '100,000 levels in a media field',
      JSON_TYPE,
      `{"front_image_b64":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      MISSING,
    ],
    ['invalid UTF-8', JSON_TYPE, text(',"external_id":"\xff"'), INVALID],
    ['a byte order mark', JSON_TYPE, `\xef\xbb\xbf${text('')}`, UNREADABLE],
    ['an integer that would change', JSON_TYPE, text(',"options":9007199254740993'), INVALID],
    ['UTF-16', JSON_TYPE, Buffer.from(text(''), 'utf16le').toString('latin1'), INVALID],
    ['a number out of range', JSON_TYPE, text(',"options":1e999'), INVALID],
    ['an unknown field', JSON_TYPE, text(',"unknown":1'), INVALID],
    ['a prototype', JSON_TYPE, '{"__proto__":{"a":1}}', INVALID],
    ['a prototype besides media', JSON_TYPE, text(',"__proto__":{"external_id":"a"}'), INVALID],
    ['U+0000', JSON_TYPE, text(String.raw`,"external_id":"\u0000"`), INVALID],
    ['a lone surrogate', JSON_TYPE, text(String.raw`,"external_id":"\ud800"`), INVALID],
    ['a lone surrogate in a name', JSON_TYPE, text(String.raw`,"\ud800":1`), INVALID],
    ['media that is not an image', JSON_TYPE, text(''), UNREADABLE],
    ['JSON under its older name', 'text/json', text(''), UNREADABLE],
  ])('%s', async (_, type, body, [status, code]) => {
    for (const fields of [[], [`idempotency-key: ${crypto.randomUUID()}`]])
      expectError(await submit('/identity/kyc/v2', type, body, fields), status, code)
  })
})
