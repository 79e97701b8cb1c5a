import { type Prosody, sampleRateOf, type SpeechEngine } from '../engine.ts'
import type { SpokenLanguage } from '../spoken-languages.ts'
import { spokenSegments } from '../text/spoken-segments.ts'
import type { Lexicon } from '../text/lexicon.ts'
import type { Markup } from '../text/markup/markup-reader.ts'
import { fadeEdges } from './fade-edges.ts'

/** Segments begin and end with some sound of a neighbour, at up to 2 % of full scale. */
const FADE_SECONDS = 0.002

export interface SpeakRequest {
  engine: SpeechEngine
  text: string
  lexicon?: Lexicon | undefined
  markup?: Markup | undefined
  voice: string
  language: Pick<SpokenLanguage, 'tag' | 'accent'>
  prosody: Prosody
  tenant?: string | undefined
  /** The same object whenever this text is spoken, so that a router keeps to one engine for it. */
  utterance: object
}

/**
 * Yields a whole text as samples at the engine's rate for the language, with the pauses between its segments. Requests the next segment only
 * once the reader has taken the one before it. A repeatable engine gives the same samples again.
 *
 * @throws SpeechError on the first or a later iteration
 */
export async function* speakText(
  { engine, text, lexicon, markup, voice, language, prosody, tenant, utterance }: SpeakRequest,
  signal: AbortSignal,
): AsyncGenerator<Int16Array, void, undefined> {
  const capabilities = engine.capabilities()
  const { pauses = false } = capabilities
  const sampleRateHz = sampleRateOf(capabilities, language.accent)
  let priority: 'first' | 'later' = 'first'
  const written = { language: language.tag, ...(lexicon && { lexicon }), ...(markup && { markup }) }
  for (const segment of spokenSegments(text, written)) {
    const continues = segment.pauseMs > 0
    const chunks = engine.synthesize(
      {
        text: segment.text,
        voice,
        language: language.accent,
        prosody,
        ...(continues && pauses && { continues }),
      },
      { signal, utterance, priority, ...(tenant !== undefined && { tenant }) },
    )
    priority = 'later'
    yield* fadeEdges(chunks, Math.round(FADE_SECONDS * sampleRateHz))
    // Slower speech has longer pauses.
    if (continues && !pauses)
      yield new Int16Array(Math.round((segment.pauseMs / 1000 / prosody.rate) * sampleRateHz))
  }
}
