import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AgentSpeech, heardTurns, type SpeechMark } from './heard-turns.ts'

const phrase = (text: string, atMs: number): SpeechMark => ({ kind: 'phrase', text, atMs })
const word = (text: string, atMs: number): SpeechMark => ({ kind: 'word', text, atMs })

/** «Pay $5 now.» and «Thanks!», of 2 s. */
const SPEECH: AgentSpeech = {
  language: 'en-US',
  marks: [
    phrase('“Pay $5 now.”', 0),
    word('Pay', 20),
    word('$5', 240),
    word('now', 840),
    phrase('Thanks!', 1370),
    word('Thanks', 1370),
  ],
  durationMs: 2000,
}
const stretch = (sentAtMs: number, heardAtMs: number, durationMs: number) => ({
  sentAtMs,
  heardAtMs,
  durationMs,
})

test('all that was played is the whole text, from the frame in which each word was heard', () => {
  expect(
    heardTurns({
      speech: SPEECH,
      played: [stretch(0, 100, 800), stretch(800, 1500, 1200)],
      endedBy: 'agent',
    }),
  ).toEqual([
    {
      speaker: 'agent',
      language: 'en-US',
      text: '“Pay $5 now.” Thanks!',
      start_ms: 100,
      end_ms: 2700,
      words: [
        { text: '“Pay ', start_ms: 120 },
        { text: '$5 ', start_ms: 340 },
        { text: 'now.” ', start_ms: 1540 },
        { text: 'Thanks!', start_ms: 2070 },
      ],
    },
  ])
})

test('words that were made but not played were not heard', () => {
  const [turn] = heardTurns({ speech: SPEECH, played: [stretch(0, 0, 860)], endedBy: 'callee' })
  expect(turn).toMatchObject({ text: '“Pay $5 now.”', end_ms: 860, cut_by: 'callee' })
})

test('speech that is still being made is cut, though all of it so far was played', () => {
  const [turn] = heardTurns({
    speech: { ...SPEECH, durationMs: null },
    played: [stretch(0, 0, 2000)],
    endedBy: 'carrier',
  })
  expect(turn).toMatchObject({ text: '“Pay $5 now.” Thanks!', cut_by: 'carrier' })
})

test('a phrase without marks of words is heard as a whole', () => {
  const marks = [phrase('नमस्ते सीता।', 0), phrase('यो सम्झना हो।', 1000)]
  const [turn] = heardTurns({
    speech: { language: 'ne-NP', marks, durationMs: 2000 },
    played: [stretch(0, 0, 2000)],
    endedBy: 'agent',
  })
  expect(turn?.words).toEqual([
    { text: 'नमस्ते सीता। ', start_ms: 0 },
    { text: 'यो सम्झना हो।', start_ms: 1000 },
  ])
})

test('a phrase without a sound at the end is part of what was said to its end', () => {
  const marks = [...SPEECH.marks, phrase('…', 2000)]
  const [turn] = heardTurns({ speech: { ...SPEECH, marks }, played: [stretch(0, 0, 2000)], endedBy: 'agent' })
  expect(turn).toMatchObject({ text: '“Pay $5 now.” Thanks! …' })
})

test('no turn if nothing was heard', () => {
  expect(heardTurns({ speech: SPEECH, played: [], endedBy: 'callee' })).toEqual([])
  const speech = { ...SPEECH, marks: [phrase('Pay', 100)] }
  expect(heardTurns({ speech, played: [stretch(0, 0, 60)], endedBy: 'callee' })).toEqual([])
})

test('the words of any cut are a beginning of the text, and follow one another', () => {
  const [whole] = heardTurns({ speech: SPEECH, played: [stretch(0, 0, 2000)], endedBy: 'agent' })
  const frames = fc.integer({ min: 1, max: 100 })
  fc.assert(
    fc.property(frames, frames, fc.nat(50), (before, after, gap) => {
      const played = [
        stretch(0, 0, before * 20),
        stretch(before * 20, (before + gap) * 20, Math.max(0, Math.min(after, 100 - before)) * 20),
      ]
      for (const turn of heardTurns({ speech: SPEECH, played, endedBy: 'callee' })) {
        expect(turn.words.map(({ text }) => text).join('')).toBe(turn.text)
        expect(whole?.text.startsWith(turn.text)).toBe(true)
        const times = [turn.start_ms, ...turn.words.map(({ start_ms }) => start_ms), turn.end_ms]
        expect(times).toEqual(times.toSorted((one, other) => one - other))
      }
    }),
  )
})
