import { ARTIFACT_NAMES, MEDIA_PROBLEMS, reasonSchema } from '@vaani/contracts'
import { expect, test } from 'vitest'
import { reasonOfAsk, withAsk } from './ask-reasons.ts'

test('each problem of each artifact has whole sentences of its own, in both languages', () => {
  const all = ARTIFACT_NAMES.flatMap((artifact) =>
    MEDIA_PROBLEMS.map((problem) => reasonOfAsk(artifact, problem)),
  )
  const texts = all.flatMap(
    ({ message, next_step, translations }) =>
      [
        [message, /^[A-Z][^{}]*[a-z]\.$/],
        [next_step, /^[A-Z][^{}]*\. Then send everything again\.$/],
        [translations?.ne.message, /^[\u0900-\u097f :]+।$/],
        [translations?.ne.next_step, /^[\u0900-\u097f ]+। त्यसपछि सबै फेरि पठाउनुहोस्।$/],
      ] as const,
  )
  for (const [text, form] of texts) {
    expect(text).toMatch(form)
    expect(text).not.toMatch(/ {2}| [.।]/)
  }
  expect(new Set(all.map(({ message }) => message)).size).toBe(all.length)
  expect(new Set(all.map(({ translations }) => translations?.ne.message)).size).toBe(all.length)
  for (const reason of all) expect(reasonSchema.parse(reason)).toEqual(reason)
})

test('what reviewers ask for replaces what the checks found, and an earlier problem of the same artifact', () => {
  const found = { ...reasonOfAsk('front_image', 'glare'), check: 'document_quality' } as const
  const first = withAsk([found], 'front_image', 'blurred')
  const second = withAsk(first, 'back_image', 'missing')
  expect(withAsk(second, 'front_image', 'cut_off').map(({ code }) => code)).toEqual([
    'back_image_missing',
    'front_image_cut_off',
  ])
})
