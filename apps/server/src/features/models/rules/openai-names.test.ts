import { expect, test } from 'vitest'
import { MODELS, voiceFor } from './openai-names.ts'

const embedded = (voice: string) => ['nova', 'atlas', 'default', 'alt1', 'alt2'].includes(voice)
const small = (voice: string) => ['nova', 'atlas'].includes(voice)

test.each([
  ['alloy', 'default', 'nova'],
  ['onyx', 'alt1', 'atlas'],
  ['nova', 'nova', 'nova'],
  ['verse', 'atlas', 'atlas'],
])('%s is spoken by %s, or by %s if the engine has few voices', (name, many, few) => {
  expect(voiceFor(name, embedded)).toBe(many)
  expect(voiceFor(name, small)).toBe(few)
})

test('a voice of the engine goes before one that stands in', () => {
  expect(voiceFor('alloy', (voice) => voice === 'alloy' || embedded(voice))).toBe('alloy')
})

test.each(['vox_01kamx3v6pf9hr2x8c0q5d7etn', 'nobody', 'constructor', '__proto__'])(
  'passes on %s',
  (name) => {
    expect(voiceFor(name, embedded)).toBe(name)
  },
)

test('knows each model of OpenAI that speaks', () => {
  expect(MODELS['tts-1']).toBe('synth-l1')
  expect(MODELS['tts-1-hd']).toBe('synth-v1')
})
