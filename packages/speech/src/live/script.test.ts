import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Markup } from '../text/markup/markup-reader.ts'
import { spokenSegments } from '../text/spoken-segments.ts'
import { createScript, type LiveMessage, type LiveStep, type Phrase } from './script.ts'

const script = (markup: Markup = 'strip') =>
  createScript({ language: 'en-US', markup, emotion: 'neutral', speed: 1 })
const isPhrase = (step: LiveStep): step is Phrase => step.type === 'phrase'
const hearAll = (messages: readonly LiveMessage[], markup?: Markup): LiveStep[] => {
  const { hear } = script(markup)
  return messages.flatMap((message) => hear(message))
}
const speak = (text: string): LiveMessage => ({ type: 'speak', text })
const phrasesOf = (steps: readonly LiveStep[]) =>
  steps.filter(isPhrase).map(({ text, emotion }) => `${emotion}: ${text.trim()}`)

const TEXT =
  "Dr. Rai owes you $12.50, doesn't he? Call 3:30 p.m. at noon.\n\n- See **docs.example.com**! \u{1f600} Bye"
/** Cuts a text at any places. */
const piecesOf = (text: string) =>
  fc.array(fc.nat(text.length)).map((cuts) => {
    const at = [0, ...cuts.toSorted((one, other) => one - other), text.length]
    return at.slice(1).map((end, index) => text.slice(at[index], end))
  })

test.each(['keep', 'strip'] as const)('any pieces of a text give its segments and pauses, %s', (markup) => {
  const whole = [...spokenSegments(TEXT, { language: 'en-US', markup })]
  fc.assert(
    fc.property(piecesOf(TEXT), (pieces) => {
      const steps = hearAll([...pieces.map(speak), { type: 'end' }], markup)
      const segments = steps.filter(isPhrase).flatMap((phrase) => phrase.segments())
      expect(segments.map(({ text, pauseMs }) => ({ text, pauseMs }))).toEqual(whole)
      expect(steps.at(-1)).toEqual({ type: 'end' })
    }),
  )
})

test('an incomplete phrase waits for more text, a flush or the end', () => {
  const { hear, waitingUnits } = script()
  expect(hear(speak('Good morning. How '))).toHaveLength(1)
  expect(waitingUnits()).toBe(4)
  expect(hear(speak('are'))).toEqual([])
  expect(phrasesOf(hear({ type: 'flush' }))).toEqual(['neutral: How are'])
  expect(waitingUnits()).toBe(0)
  expect(phrasesOf(hear({ type: 'end' }))).toEqual([])
})

test('an emotion takes effect at the next phrase, wherever the text is cut', () => {
  const before = 'I was sad, but then '
  const after = 'it changed! And now I laugh.'
  fc.assert(
    fc.property(piecesOf(before), piecesOf(after), (first, second) => {
      const messages: LiveMessage[] = [
        ...first.map(speak),
        { type: 'emotion', emotion: 'excited' },
        ...second.map(speak),
        { type: 'end' },
      ]
      expect(phrasesOf(hearAll(messages))).toEqual([
        'neutral: I was sad, but then it changed!',
        'excited: And now I laugh.',
      ])
    }),
  )
})

test('a text with an emotion of its own has it for the phrases that begin in it', () => {
  const steps = hearAll([
    speak('One. '),
    { ...speak('Two. Thr'), emotion: 'calm' } as LiveMessage,
    speak('ee. Four.'),
    { type: 'end' },
  ])
  expect(phrasesOf(steps)).toEqual(['neutral: One.', 'calm: Two.', 'calm: Three.', 'neutral: Four.'])
})

test('a cancel drops the incomplete phrase', () => {
  const { hear, waitingUnits } = script()
  hear(speak('Never mi'))
  expect(hear({ type: 'cancel' })).toEqual([{ type: 'cancel' }])
  expect(waitingUnits()).toBe(0)
  expect(phrasesOf([...hear(speak('Yes.')), ...hear({ type: 'end' })])).toEqual(['neutral: Yes.'])
})

test('finds what is written for a word that is spoken', () => {
  const [phrase] = hearAll([speak('Pay $12.50 now.'), { type: 'end' }]).filter(isPhrase)
  const [segment] = phrase?.segments() ?? []
  if (phrase === undefined || segment === undefined) throw new Error('Nothing is spoken')
  expect(segment.text).toBe('Pay 12 dollars and 50 cents now.')
  const { start, end } = segment.written({
    start: segment.text.indexOf('dollars'),
    end: segment.text.indexOf(' and'),
  })
  expect(phrase.text.slice(start, end)).toBe('$12.50')
})

test('any order of messages speaks each text once unless it is canceled', () => {
  const message = fc.oneof(
    fc.constantFrom('One ', 'word. ', 'Two? ', ' ', '', '\n').map(speak),
    fc.constantFrom<LiveMessage>({ type: 'flush' }, { type: 'cancel' }, { type: 'emotion', emotion: 'warm' }),
  )
  fc.assert(
    fc.property(fc.array(message, { maxLength: 40 }), (messages) => {
      const { hear, waitingUnits } = script()
      let waiting = ''
      for (const one of messages) {
        if (one.type === 'speak') waiting += one.text
        const steps = hear(one)
        for (const { text } of steps.filter(isPhrase)) {
          const at = waiting.indexOf(text)
          // Only blank text is left out.
          expect(waiting.slice(0, at).trim()).toBe('')
          waiting = waiting.slice(at + text.length)
        }
        if (one.type === 'cancel' || one.type === 'flush') {
          expect(steps.at(-1)).toEqual(one)
          if (one.type === 'flush') expect(waiting.trim()).toBe('')
          waiting = ''
        }
        expect(waitingUnits()).toBeLessThanOrEqual(waiting.length)
      }
    }),
  )
})
