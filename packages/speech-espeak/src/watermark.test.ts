import { createFloatResampler, decodeInt16, encodePcm, float32ToInt16, mulaw } from '@vaani/pcm-audio'
import { NEUTRAL } from '@vaani/speech'
import { createWatermarker, detectWatermark } from '@vaani/speech/watermark'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, expect, test } from 'vitest'
import { createEngine } from './index.ts'

const engine = createEngine({ workers: 1 })
afterAll(() => engine.close())

const key = Uint8Array.from({ length: 32 }, (_, index) => index * 7)
const { sampleRateHz } = engine.capabilities()

async function speak(voice: string): Promise<Int16Array> {
  const samples: number[] = []
  const text =
    'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et ' +
    'doivent agir les uns envers les autres dans un esprit de fraternité.'
  for await (const chunk of engine.synthesize({ text, voice, language: 'fr-FR', prosody: NEUTRAL }))
    samples.push(...chunk)
  return Int16Array.from(samples)
}

function mark(samples: Int16Array, payload: number): Int16Array {
  const watermarker = createWatermarker({ key, payload, sampleRateHz })
  return Int16Array.from([...watermarker.push(samples), ...watermarker.flush()])
}

/** A phone line: 8 kHz, μ-law. */
function overThePhone(samples: Int16Array): Int16Array {
  const resampler = createFloatResampler({ fromHz: sampleRateHz, toHz: 8000 })
  const floats = Float32Array.from(samples, (sample) => sample / 32_768)
  const narrow = float32ToInt16(Float32Array.from([...resampler.push(floats), ...resampler.flush()]))
  return decodeInt16(encodePcm(narrow, mulaw), mulaw)
}

test.for(thorough({ usual: ['nova'], long: ['nova', 'atlas'] }))(
  'the watermark of 5 s of speech of %s is found after a phone line',
  async (voice) => {
    const speech = await speak(voice)
    const marked = mark(speech, 0x12_34_56_78)
    expect(marked).toHaveLength(speech.length)
    const direct = detectWatermark(marked.subarray(sampleRateHz, 6 * sampleRateHz), { key, sampleRateHz })
    expect(direct).toMatchObject({ isPresent: true, payload: 0x12_34_56_78, speed: 1 })
    const heard = overThePhone(marked).subarray(8000, 6 * 8000)
    expect(detectWatermark(heard, { key, sampleRateHz: 8000 })).toMatchObject({ isPresent: true, speed: 1 })
    expect(
      detectWatermark(speech.subarray(sampleRateHz, 6 * sampleRateHz), { key, sampleRateHz }),
    ).toMatchObject({
      isPresent: false,
      payload: null,
    })
  },
)
