import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertToV2, FormError, type V2Extras } from './to-v2.ts'

const BOUNDARY = 'xYzZY'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const EXTRAS: V2Extras = { callbackUrl: null, storeMedia: false }

type Sent = readonly [name: string, value: string | Buffer]

function formOf(parts: readonly Sent[]): Buffer {
  const pieces = parts.flatMap(([name, value]) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    typeof value === 'string' ? '' : '; filename="a.bin"\r\nContent-Type: application/octet-stream',
    '\r\n\r\n',
    value,
    '\r\n',
  ])
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece as string)))
}

function cut(bytes: Buffer, size: number): Readable {
  const chunks: Buffer[] = []
  for (let i = 0; i < bytes.length; i += size) chunks.push(bytes.subarray(i, i + size))
  return Readable.from(chunks)
}

async function convert(form: Readable, extras = EXTRAS, type = TYPE): Promise<unknown> {
  let text = ''
  for await (const piece of convertToV2(form, type, extras)) text += piece
  return JSON.parse(text)
}

const file = fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes))
const line = fc.string({ unit: 'grapheme', maxLength: 50 }).filter((text) => !text.includes('\r'))

test('a form becomes the same submission, in whatever order and chunks it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(file, file, file, line),
      fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
      fc.integer({ min: 1, max: 700 }),
      async ([front, back, video, externalId], order, size) => {
        const parts: readonly Sent[] = [
          ['front_image', front],
          ['back_image', back],
          ['liveness_video', video],
          ['external_id', externalId],
        ]
        const sent = order.map((index) => parts[index] ?? parts[0]).filter((part) => part !== undefined)
        expect(await convert(cut(formOf(sent), size))).toEqual({
          options: { store_media: false },
          front_image_b64: front.toString('base64'),
          back_image_b64: back.toString('base64'),
          liveness_video_b64: video.toString('base64'),
          external_id: externalId.toWellFormed(),
        })
      },
    ),
    { numRuns: 100 },
  )
})

test('its own callback replaces that of the form', async () => {
  const form = () => cut(formOf([['callback_url', 'https://a.example/hook']]), 20)
  expect(await convert(form())).toMatchObject({ callback_url: 'https://a.example/hook' })
  const extras = { callbackUrl: 'https://ours.example/"', storeMedia: true }
  expect(await convert(form(), extras)).toEqual({
    callback_url: 'https://ours.example/"',
    options: { store_media: true },
  })
})

test('a part that version 1 requires may be missing, unless it is asked for', async () => {
  const form = () =>
    cut(
      formOf([
        ['front_image', Buffer.from('a')],
        ['liveness_video', Buffer.from('b')],
      ]),
      50,
    )
  expect(await convert(form())).toMatchObject({ front_image_b64: 'YQ==' })
  await expect(convert(form(), { ...EXTRAS, requiresParts: true })).rejects.toMatchObject({
    message: 'back_image: is missing',
    code: 'missing_artifact',
    param: 'back_image',
  })
})

test('a large file passes through whole, and little of it is held', async () => {
  const video = randomBytes(30_000_000)
  const chunks = [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="liveness_video"; filename="v"\r\n\r\n`,
    ),
    video,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]
  const hash = createHash('sha256')
  let longest = 0
  for await (const piece of convertToV2(cut(Buffer.concat(chunks), 65_536), TYPE, EXTRAS)) {
    longest = Math.max(longest, piece.length)
    hash.update(piece)
  }
  const expected = `{"options":{"store_media":false},"liveness_video_b64":"${video.toString('base64')}"}`
  expect(hash.digest('hex')).toBe(createHash('sha256').update(expected).digest('hex'))
  expect(longest).toBeLessThan(200_000)
})

test.each([
  ['a part that is not known', formOf([['hello', 'x']]), TYPE, 'not known'],
  ['a part without a name', Buffer.from(`--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`), TYPE, null],
  [
    'a part that is there twice',
    formOf([
      ['external_id', 'a'],
      ['external_id', 'b'],
    ]),
    TYPE,
    'external_id: is there twice',
  ],
  ['a file sent as text', formOf([['front_image', 'x']]), TYPE, 'front_image: must be a file'],
  ['a text sent as a file', formOf([['external_id', Buffer.from('x')]]), TYPE, 'external_id: must be text'],
  [
    'a text that is too long',
    formOf([['external_id', 'x'.repeat(20_000)]]),
    TYPE,
    'external_id: is too long',
  ],
  ['too many parts', formOf(Array.from({ length: 20 }, () => ['external_id', 'a'] as const)), TYPE, null],
  [
    'a form that is cut short',
    formOf([['front_image', Buffer.alloc(100)]]).subarray(0, 120),
    TYPE,
    'not well-formed',
  ],
  ['no boundary', formOf([['external_id', 'a']]), 'multipart/form-data', 'not well-formed'],
  ['another type', Buffer.from('{}'), 'application/json', 'not well-formed'],
] as const)('refuses %s', async (_, form, type, message) => {
  const converting = convert(cut(form, 50), EXTRAS, type)
  if (message === null)
    await converting.then(
      (value) => expect(value).toEqual({ options: { store_media: false } }),
      (error: unknown) => expect(error).toBeInstanceOf(FormError),
    )
  else await expect(converting).rejects.toThrow(message)
})

test('the failure of its source is thrown as it is', async () => {
  const broken = new Error('The spool cannot be read')
  const source = Readable.from(
    (async function* () {
      yield formOf([['front_image', Buffer.alloc(1000)]]).subarray(0, 500)
      throw broken
    })(),
  )
  await expect(convert(source)).rejects.toBe(broken)
})

test('a reader that stops in the midst leaves nothing open', async () => {
  const form = cut(formOf([['front_image', Buffer.alloc(1_000_000)]]), 1000)
  for await (const piece of convertToV2(form, TYPE, EXTRAS)) if (piece.length > 100) break
  expect(form.destroyed).toBe(true)
})
