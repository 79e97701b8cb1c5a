import type { EngineCapabilities, Prosody, SpeechEngine, SpokenWord, SynthesisRequest } from '../engine.ts'
import { sampleRateOf, speaksIn } from '../engine.ts'
import { SpeechError } from '../speech-error.ts'
import type { ParametricVoice, VoiceMatch } from './match-voice.ts'
import { shapeVoice } from './shape-voice.ts'

/** Limits of an engine's rate; see `Prosody`. */
const RATE = { min: 0.4, max: 2.5 }
/** Pitch of engines that cannot change it is moved with the formants, by at most a quarter. */
const JOINT_WARP = { min: 0.8, max: 1.24 }
const WARP_STEP = 0.02

/**
 * Wraps an engine so that it speaks in a parametric voice, its only one, in every language that one of the matched voices
 * speaks. Closing it closes the engine.
 *
 * @param name what requests call the voice
 * @example
 * const cloned = withVoice(engine, 'vox_sita', matchVoice(measureVoice(recording), bases))
 * for await (const frame of streamSpeech({ engine: cloned, voice: 'vox_sita', ...words })) speaker.write(frame)
 */
export function withVoice(engine: SpeechEngine, name: string, { matches }: ParametricVoice): SpeechEngine {
  const capabilities = engine.capabilities()
  const matchFor = (language: string) => matches.find(({ base }) => speaksIn(capabilities, language, base))
  const languages = capabilities.languages
    .filter(({ tag }) => matchFor(tag) !== undefined)
    .map(({ voices: _, ...language }) => language)
  const own: EngineCapabilities = { ...capabilities, languages, voices: [name] }
  return {
    id: engine.id,
    license: engine.license,
    capabilities: () => own,
    async *synthesize(request, options) {
      if (request.voice !== name) throw new SpeechError('voice_not_found', 'The engine has no such voice')
      const match = matchFor(request.language)
      if (match === undefined)
        throw new SpeechError('language_not_supported', 'The engine does not speak this language')
      const shape = { ...match, ...(capabilities.pitch === false && { warp: jointWarp(match) }) }
      const shaper = shapeVoice(shape, sampleRateOf(capabilities, request.language))
      const onWord = options?.onWord
      const own = {
        ...options,
        // The shaper changes the duration by the warp.
        ...(onWord && {
          onWord: (word: SpokenWord) => onWord({ ...word, atSeconds: word.atSeconds / shape.warp }),
        }),
      }
      for await (const chunk of engine.synthesize(toBaseRequest(request, { ...match, ...shape }), own)) {
        const shaped = shaper.push(chunk)
        if (shaped.length > 0) yield shaped
      }
      yield shaper.flush()
    },
    close: () => engine.close(),
  }
}

function toBaseRequest(request: SynthesisRequest, match: VoiceMatch): SynthesisRequest {
  const { rate, pitchSemitones, range, energy } = request.prosody
  const prosody: Prosody = {
    energy,
    // The shaper moves pitch and rate by the warp.
    rate: Math.min(RATE.max, Math.max(RATE.min, (rate * match.rate) / match.warp)),
    pitchSemitones: pitchSemitones + match.pitchSemitones - 12 * Math.log2(match.warp),
    range: range * match.range,
  }
  return { ...request, voice: match.base, prosody }
}

function jointWarp({ pitchSemitones }: VoiceMatch): number {
  const wanted = Math.min(JOINT_WARP.max, Math.max(JOINT_WARP.min, 2 ** (pitchSemitones / 12)))
  return Math.round(wanted / WARP_STEP) * WARP_STEP
}
