import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestOfContent, type StreamedContent } from './streamed-route.ts'

const fields = fc.dictionary(
  fc.string(),
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
)
const files = fc.dictionary(
  fc.string(),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => ({ fingerprint: Buffer.from(bytes) })),
)
const contentOf = (ownFields: object, ownFiles: object): StreamedContent => ({
  fields: { ...ownFields },
  files: new Map(Object.entries(ownFiles)),
})
const reversed = <Value extends object>(value: Value): object =>
  Object.fromEntries(Object.entries(value).toReversed())

test('the order of fields and files does not count', () =>
  fc.assert(
    fc.property(fields, files, (ownFields, ownFiles) => {
      const digest = digestOfContent(contentOf(ownFields, ownFiles))
      expect(digestOfContent(contentOf(reversed(ownFields), reversed(ownFiles)))).toEqual(digest)
    }),
  ))

test('everything else counts', () =>
  fc.assert(
    fc.property(fields, files, fields, files, (someFields, someFiles, otherFields, otherFiles) => {
      const digests = [contentOf(someFields, someFiles), contentOf(otherFields, otherFiles)].map((content) =>
        digestOfContent(content).toString('hex'),
      )
      const texts = [
        [someFields, someFiles],
        [otherFields, otherFiles],
      ].map((both) => JSON.stringify(both.map((one) => Object.entries(one ?? {}).toSorted())))
      expect(digests[0] === digests[1]).toBe(texts[0] === texts[1])
    }),
  ))

test('files are not confused with each other, nor text with numbers', () => {
  const [a, b] = [{ fingerprint: Buffer.from('a') }, { fingerprint: Buffer.from('b') }]
  const digests = [
    contentOf({}, { front: a, back: b }),
    contentOf({}, { front: b, back: a }),
    contentOf({}, { front: a }),
    contentOf({ front: '61' }, {}),
    contentOf({ front: 61 }, {}),
    contentOf({ front: null }, {}),
    contentOf({}, {}),
  ].map((content) => digestOfContent(content).toString('hex'))
  expect(new Set(digests).size).toBe(digests.length)
})
