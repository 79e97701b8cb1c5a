import { createResampler } from '@vaani/pcm-audio'
import { NEUTRAL, type SpeechEngine, STREAM_SAMPLE_RATE_HZ, streamSpeech } from '@vaani/speech'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from './create-engine.ts'
import { type Contour, contourOf, pitchDifferences } from './test/contour.ts'

let engine: SpeechEngine
beforeAll(() => {
  engine = createEngine({ workers: 1 })
})
afterAll(() => engine.close())

const concat = (chunks: readonly Int16Array[]) => Int16Array.from(chunks.flatMap((chunk) => [...chunk]))

/** Speaks a text in one request. */
async function whole(text: string, language: string): Promise<Int16Array> {
  const { sampleRateHz } = engine.capabilities()
  const resampler = createResampler({ fromHz: sampleRateHz, toHz: STREAM_SAMPLE_RATE_HZ })
  const request = { text, language, voice: 'nova', prosody: NEUTRAL }
  const chunks = (await Array.fromAsync(engine.synthesize(request))).map((chunk) => resampler.push(chunk))
  return concat([...chunks, resampler.flush()])
}

const streamed = async (text: string, language: string): Promise<Int16Array> =>
  concat(
    await Array.fromAsync(
      streamSpeech({ engine, text, language, voice: 'nova', emotion: 'neutral', speed: 1 }),
    ),
  )

const contour = (samples: Int16Array) => contourOf(samples, STREAM_SAMPLE_RATE_HZ)

/** Share of the voiced moments at which the pitch differs by more than a semitone, and the median difference. */
function comparePitch(one: Contour, other: Contour, at: (ms: number) => number) {
  const differences = pitchDifferences(one, other, at).toSorted((first, second) => first - second)
  return {
    count: differences.length,
    median: differences[differences.length >> 1] ?? Number.POSITIVE_INFINITY,
    changed: differences.filter((difference) => difference > 1).length / differences.length,
  }
}

/** The engine ends the silent clause that asks it for a pause with 7 ms of its own. */
const JOIN_MS = 7.1

const TEXTS = {
  'en-US':
    'Your appointment with the doctor has moved to Thursday morning. Can you come, or shall we find another day? Please call us back!',
  'ne-NP': 'तपाईंको डाक्टरसँग भेट्ने समय बिहीबार बिहान सारिएको छ। के तपाईं आउन सक्नुहुन्छ, कि अर्को दिन खोजौं? धन्यवाद।',
  'hi-IN': 'डॉक्टर के साथ आपकी मुलाक़ात गुरुवार सुबह तक टाल दी गई है। क्या आप आ सकते हैं, या कोई और दिन देखें? धन्यवाद।',
  'de-DE':
    'Ihr Termin bei der Ärztin wurde auf Donnerstagmorgen verschoben. Passt das Ihnen, oder suchen wir einen anderen Tag? Vielen Dank!',
  'es-ES':
    'Su cita con la doctora se ha cambiado al jueves por la mañana. ¿Puede usted venir, o buscamos otro día? Muchas gracias.',
  'fr-FR':
    'Votre rendez-vous chez le docteur est déplacé à jeudi matin. Pouvez-vous venir, ou cherchons-nous un autre jour ? Merci beaucoup.',
} as const

const rows = Object.entries(TEXTS)
test.each(thorough({ usual: rows.slice(0, 2), long: rows }))(
  'a stream in %s has the pauses and the pitch of the whole',
  async (language, text) => {
    const [one, other] = [contour(await whole(text, language)), contour(await streamed(text, language))]
    expect(one.pauses.length).toBeGreaterThanOrEqual(2)
    // The padding of the last frame may look like one more.
    const pauses = other.pauses.slice(0, one.pauses.length)
    expect(pauses).toHaveLength(one.pauses.length)
    for (const [index, { startMs, durationMs }] of pauses.entries()) {
      expect(Math.abs(durationMs - (one.pauses[index]?.durationMs ?? 0))).toBeLessThanOrEqual(15)
      expect(Math.abs(startMs - (one.pauses[index]?.startMs ?? 0))).toBeLessThanOrEqual(20)
    }
    const ends = one.pauses.map((pause) => pause.startMs)
    const at = (ms: number) => ms + JOIN_MS * Math.min(2, ends.filter((end) => end < ms).length)
    const pitch = comparePitch(one, other, at)
    expect(pitch.count).toBeGreaterThan(150)
    expect(pitch.median).toBeLessThan(0.1)
    expect(pitch.changed).toBeLessThan(0.02)
  },
)

test('this comparison hears a cut within a sentence', async () => {
  const [start, end] = ['Your appointment with the', 'doctor has moved to Thursday morning.']
  const one = contour(await whole(`${start} ${end}`, 'en-US'))
  const cut = contour(concat([await whole(start, 'en-US'), await whole(end, 'en-US')]))
  const pitch = comparePitch(one, cut, (ms) => ms)
  expect(pitch.changed).toBeGreaterThan(0.2)
})
