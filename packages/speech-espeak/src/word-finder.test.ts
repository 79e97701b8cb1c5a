import fc from 'fast-check'
import { expect, test } from 'vitest'
import { separateKana, toContinuedMarkup, toMarkup } from './to-markup.ts'
import { createWordFinder } from './word-finder.ts'

const codePoints = (text: string): number => Array.from(text).length

/** Finds words of the markup, as the engine reports them. */
function find(text: string, words: readonly string[]): (string | undefined)[] {
  const markup = toContinuedMarkup(text)
  const finder = createWordFinder(text, markup)
  let from = 0
  return words.map((word) => {
    const at = markup.indexOf(word, from)
    from = at + 1
    const found = finder({ position: codePoints(markup.slice(0, at)), length: codePoints(word) })
    return found && text.slice(found.start, found.end)
  })
}

test('finds words after escapes and characters of two units', () => {
  expect(find('if x<y & 😀 then', ['if', 'x', 'y', '😀', 'then'])).toEqual(['if', 'x', 'y', '😀', 'then'])
})

test('completes a word that the engine cuts, and skips what lies within it', () => {
  expect(find('AT&T says', ['AT', 'T', 'says'])).toEqual(['AT&T', undefined, 'says'])
  expect(find('in 2014 here', ['2014', '014 ', 'here'])).toEqual(['2014', undefined, 'here'])
})

test('leaves Chinese words apart', () => {
  expect(find('你好世界', ['你', '世', '界'])).toEqual(['你', '世', '界'])
})

test('any position in the markup of any text gives words in their order, or none', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab &<\u0530\u0001猫かA. 😀') })
  const positions = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 0, max: 9 })))
  fc.assert(
    fc.property(text, positions, (written, asked) => {
      for (const markup of [toMarkup(written), toContinuedMarkup(separateKana(written))]) {
        const finder = createWordFinder(written, markup)
        let until = 0
        for (const [position, length] of asked) {
          const found = finder({ position, length })
          if (found === undefined) continue
          expect(found.start).toBeGreaterThanOrEqual(until)
          expect(found.end).toBeGreaterThan(found.start)
          expect(found.end).toBeLessThanOrEqual(written.length)
          until = found.end
        }
      }
    }),
  )
})
