import { createSpeechRouter } from '@vaani/speech'
import { createToneEngine } from '@vaani/speech/tone'
import { expect, test } from 'vitest'
import { describeVoices } from './describe-voices.ts'

function engineOf(tags: readonly string[]) {
  const tone = createToneEngine()
  const languages = tags.map((tag) => ({ tag, quality: 'native' as const }))
  return { ...tone, capabilities: () => ({ ...tone.capabilities(), languages }) }
}

test('names each engine, and lists or counts its languages', () => {
  const vendor = engineOf(['en-US', 'hi-IN'])
  const local = engineOf(['en-US', 'ne-NP', 'fr-FR', 'de-DE', 'es-ES', 'it-IT', 'ja-JP'])
  expect(describeVoices(createSpeechRouter({ engines: { vendor, local } }))).toBe(
    'It speaks with vendor (en-US, hi-IN) and local (6 languages).',
  )
  expect(describeVoices(vendor)).toBe(`It speaks with ${vendor.id} (en-US, hi-IN).`)
  expect(describeVoices(null)).toBe('It cannot speak: no speech engine is installed.')
})
