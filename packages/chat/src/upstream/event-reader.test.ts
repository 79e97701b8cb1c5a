import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventReader } from './event-reader.ts'

const LINE_END = fc.constantFrom('\n', '\r\n')
const DATA = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''))

test('reads the data of events, however their bytes are split', () => {
  const events = fc.array(
    fc.record({ lines: fc.array(DATA, { minLength: 1, maxLength: 3 }), end: LINE_END, comment: DATA }),
  )
  fc.assert(
    fc.property(events, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (given, sizes) => {
      const bytes = Buffer.from(
        given
          .map(
            ({ lines, end, comment }) =>
              `: ${comment}${end}event: x${end}${lines.map((line) => `data: ${line}${end}`).join('')}${end}`,
          )
          .join(''),
      )
      const reader = createEventReader(10_000)
      const read: string[] = []
      for (let start = 0, turn = 0; start < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        read.push(...reader.push(bytes.subarray(start, start + size)))
        start += size
      }
      expect(read).toEqual(given.map(({ lines }) => lines.join('\n')))
    }),
  )
})
