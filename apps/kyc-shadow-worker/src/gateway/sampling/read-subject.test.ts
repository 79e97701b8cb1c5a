import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSubject } from './read-subject.ts'

const typeOf = (boundary: string): string => `multipart/form-data; boundary=${boundary}`

function formOf(parts: readonly (readonly [name: string, value: string | Buffer])[], boundary = 'b'): Buffer {
  const pieces = parts.flatMap(([name, value]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    typeof value === 'string' ? '' : '; filename="a"',
    '\r\n\r\n',
    value,
    '\r\n',
  ])
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as Buffer)))
}

/** Returns the subject, and after how many bytes it was known. */
async function read(form: Buffer, { boundary = 'b', size = 100 } = {}) {
  let knownAt: number | null = null
  let written = 0
  const reader = readSubject(typeOf(boundary), () => (knownAt = written))
  for (; written < form.length; written += size) reader.write(form.subarray(written, written + size))
  reader.end()
  return { subject: await reader.subject, knownAt }
}

const front = randomBytes(3000)
const video = randomBytes(200_000)

test('an external id that comes first is known before the files pass', async () => {
  const form = formOf([
    ['external_id', 'person-42'],
    ['front_image', front],
  ])
  const { subject, knownAt } = await read(form)
  expect(subject).toBe('person-42')
  expect(knownAt).toBeLessThan(300)
})

test('an external id that comes last is found all the same', async () => {
  const form = formOf([
    ['front_image', front],
    ['liveness_video', video],
    ['external_id', 'person-42'],
  ])
  expect((await read(form, { size: 65_536 })).subject).toBe('person-42')
})

test('without an external id the media decides, whatever the boundary, the order and the chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 70_000 }),
      fc.stringMatching(/^[a-z]{1,60}$/),
      async (size, boundary) => {
        const one = await read(
          formOf([
            ['front_image', front],
            ['liveness_video', video],
            ['callback_url', 'https://a.example/'],
          ]),
        )
        const other = await read(
          formOf(
            [
              ['liveness_video', video],
              ['front_image', front],
            ],
            boundary,
          ),
          { boundary, size },
        )
        expect(other.subject).toMatch(/^[0-9a-f]{64}$/)
        expect(other.subject).toBe(one.subject)
      },
    ),
    { numRuns: 20 },
  )
})

test('other media is another subject', async () => {
  const subjects = await Promise.all(
    [
      [['front_image', front]] as const,
      [['back_image', front]] as const,
      [['front_image', front.subarray(1)]] as const,
      [['front_image', Buffer.concat([video, front])]] as const,
      [['front_image', Buffer.concat([video, front.subarray(1)])]] as const,
    ].map(async (parts) => (await read(formOf(parts), { size: 5000 })).subject),
  )
  expect(new Set(subjects).size).toBe(5)
})

test.each([
  ['is cut short', formOf([['front_image', front]]).subarray(0, 500)],
  ['has no file', formOf([['callback_url', 'https://a.example/']])],
  ['is empty', Buffer.alloc(0)],
  ['is none', randomBytes(1000)],
])('a form that %s has no subject', async (_, form) => {
  expect((await read(form)).subject).toBeNull()
})

test('a type without a boundary is no form', async () => {
  expect(await readSubject('multipart/form-data', () => undefined).subject).toBeNull()
})
