import { readGrey } from '../../image/open-image.ts'
import { sizeOf, turn } from '../../image/turn.ts'
import { meanConfidence, textOf } from '../layout.ts'
import type { PageReader } from '../page-reader.ts'
import { toColumns } from './order-lines.ts'
import type { PhotoReader } from './photo-reader.ts'

/** Of 12 receipts, 9 of 10 words from it on were right. On 23 passports, no zone was wrongly contradicted by such words. */
const SURE = 0.9
/** The longest side of a picture that is read. */
const SIDE = 1600

/** Makes a page reader of a reader of photographs. Disposing of it disposes of that. */
export function createPhotoPageReader(reader: PhotoReader): PageReader {
  return {
    async read(image, turnDegrees = 0) {
      const scaled = await readGrey(image, SIDE)
      const page = turn(scaled, turnDegrees)
      const blocks = toColumns(await reader.read(page))
      const lines = blocks.flatMap((block) => block.lines.map(({ words }) => words))
      return {
        text: textOf(blocks),
        sure: lines
          .map((words) => words.map(({ text, confidence }) => (confidence >= SURE ? text : '\n')).join(' '))
          .join('\n'),
        confidence: meanConfidence(blocks),
        layout: {
          turn: {
            degrees: turnDegrees,
            original: sizeOf(image),
            scaled: sizeOf(scaled),
            turned: sizeOf(page),
          },
          lines,
        },
        model: reader.model,
      }
    },
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
}
