import { type Emotion, EMOTIONS, NEUTRAL, prosodyOf } from '../emotions.ts'
import { sampleRateOf, type SpeechEngine } from '../engine.ts'
import { requireSpeaks } from '../spoken-languages.ts'
import { SpeechError } from '../speech-error.ts'
import type { Lexicon } from '../text/lexicon.ts'
import type { Markup } from '../text/markup/markup-reader.ts'
import type { Watermark } from '../watermark/embed.ts'
import { type FileFormat, type FileSampleRateHz, SPEECH_LUFS, type SynthesisModel } from '../stream/models.ts'
import type { RemoteFile } from './remote-file.ts'
import type { RenderPool } from './render-pool.ts'
import { type SpeakRequest, speakText } from './speak-text.ts'

/** Speech up to this length is kept after the first pass (2.6 MB at 22 kHz); longer speech is synthesized again. */
const KEPT_SECONDS = 60
/** Limit of speech by an engine that cannot repeat itself, which is kept whole: 40 MB at 22 kHz. */
const UNREPEATABLE_SECONDS = 900
/** Samples are passed on to the thread that renders them in pieces of this length. */
const PIECE_SECONDS = 0.5

export interface SynthesizeSpeechOptions {
  engine: SpeechEngine
  renderers: RenderPool
  /** Plain text: the engine obeys no markup or command in it. */
  text: string
  /** How terms of the account are spoken. */
  lexicon?: Lexicon
  /** Whether Markdown and LaTeX in the text are left out; `keep` by default. */
  markup?: Markup
  model: SynthesisModel
  voice: string
  /** BCP-47. */
  language: string
  emotion: Emotion
  /** Rate of speech, 0.5 to 2. */
  speakingRate: number
  /** Longer speech is refused as `speech_too_long` once this much of it was spoken; no limit by default. */
  maxSeconds?: number
  /** Semitones up or down, beside those of the emotion: -6 to 6. */
  pitchSemitones: number
  format: FileFormat
  sampleRateHz: FileSampleRateHz
  /** Marks the file with an id that a detector with the key can read; see `@vaani/speech/watermark`. */
  watermark?: Watermark | undefined
  /** Owner of the request, such as an account id. Engines take turns between tenants. */
  tenant?: string
  signal?: AbortSignal
}

/** A file of speech that is about to be encoded. */
export interface SynthesizedSpeech {
  durationSeconds: number
  /** Undefined if only the encoding shows it. */
  bytes: number | undefined
  /** The file, encoded as it is read. Can be read once. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>
  /** Frees the engine and the encoder. Reading to the end does it too. Idempotent. */
  close(): void
}

/** Loudness of an emotion: that of neutral speech, and the difference of its energy. */
export const lufsOf = (emotion: Emotion): number =>
  SPEECH_LUFS + 20 * Math.log10(EMOTIONS[emotion].energy / NEUTRAL.energy)

/**
 * Speaks a text to an audio file. The whole text is spoken once before the promise resolves, to measure its duration and
 * level it: neutral speech has -20 LUFS in every language and voice, and a true peak of at most -1 dBTP. The file is then
 * encoded as it is read; memory is bounded for any length, and a slow reader occupies no thread. The same options give the
 * same bytes.
 *
 * @throws SpeechError also on an iteration of the chunks; `nothing_to_speak` if nothing of the text has a sound
 * @example
 * const speech = await synthesizeSpeech({ engine, renderers, text: 'Namaste', model: 'synth-v1', voice: 'default',
 *   language: 'ne-NP', emotion: 'warm', speakingRate: 1, pitchSemitones: 0, format: 'mp3', sampleRateHz: 22_050 })
 * for await (const bytes of speech.chunks()) file.write(bytes)
 */
export async function synthesizeSpeech(options: SynthesizeSpeechOptions): Promise<SynthesizedSpeech> {
  const { engine, renderers, model, format, sampleRateHz, emotion, watermark, tenant } = options
  const spoken = toSpeakRequest(options)
  const stopped = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stopped.signal]) : stopped.signal
  if (signal.aborted) throw new SpeechError('aborted', 'The speech was aborted')
  const capabilities = engine.capabilities()
  const { repeatable = true } = capabilities
  const engineSampleRateHz = sampleRateOf(capabilities, spoken.language.accent)
  const lufs = lufsOf(emotion)
  const file = renderers.open({ engineSampleRateHz, model, format, sampleRateHz, lufs, watermark })
  signal.addEventListener('abort', () => file.close(), { once: true })
  const close = () => stopped.abort()
  try {
    const speak = () => gather(speakText({ ...spoken, tenant }, signal), PIECE_SECONDS * engineSampleRateHz)
    const keptSeconds = repeatable ? KEPT_SECONDS : UNREPEATABLE_SECONDS
    const kept = await measure(speak(), file, {
      maxKept: keptSeconds * engineSampleRateHz,
      maxSamples: (options.maxSeconds ?? Number.POSITIVE_INFINITY) * engineSampleRateHz,
    })
    if (kept === undefined && !repeatable)
      throw new SpeechError('engine_failed', 'The speech is too long for an engine that cannot repeat it')
    const { durationSeconds, bytes } = await file.measured()
    return {
      durationSeconds,
      bytes,
      chunks: () => render(kept ?? speak(), file, close),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function toSpeakRequest(options: SynthesizeSpeechOptions): SpeakRequest {
  const { engine, text, lexicon, markup, voice, emotion, speakingRate } = options
  const language = requireSpeaks(engine, options)
  const prosody = prosodyOf({ emotion, speed: speakingRate })
  const pitchSemitones = prosody.pitchSemitones + options.pitchSemitones
  const utterance = {}
  return {
    engine,
    text,
    lexicon,
    markup,
    voice,
    language,
    prosody: { ...prosody, pitchSemitones },
    utterance,
  }
}

/**
 * Measures speech; returns its pieces, or undefined if there are more than `maxKept` samples.
 *
 * @throws SpeechError if there are more than `maxSamples`, or no sound in them
 */
async function measure(
  pieces: AsyncIterable<Int16Array<ArrayBuffer>>,
  file: RemoteFile,
  { maxKept, maxSamples }: { maxKept: number; maxSamples: number },
): Promise<Int16Array<ArrayBuffer>[] | undefined> {
  let kept: Int16Array<ArrayBuffer>[] | undefined = []
  let samples = 0
  let hasSound = false
  for await (const piece of pieces) {
    samples += piece.length
    hasSound ||= piece.some(Boolean)
    if (samples > maxSamples) throw new SpeechError('speech_too_long', 'The speech is longer than is allowed')
    if (samples > maxKept) kept = undefined
    kept?.push(piece)
    await file.measure(piece)
  }
  if (!hasSound) throw new SpeechError('nothing_to_speak', 'Nothing of the text has a sound')
  return kept
}

async function* render(
  pieces: Iterable<Int16Array<ArrayBuffer>> | AsyncIterable<Int16Array<ArrayBuffer>>,
  file: RemoteFile,
  close: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of pieces) {
      const bytes = await file.render(piece)
      if (bytes.length > 0) yield bytes
    }
    yield await file.finish()
  } finally {
    close()
  }
}

/** Gathers chunks to pieces of at least `length` samples. */
async function* gather(
  chunks: AsyncIterable<Int16Array>,
  length: number,
): AsyncGenerator<Int16Array<ArrayBuffer>, void, undefined> {
  let waiting: Int16Array[] = []
  let samples = 0
  const take = () => {
    const piece = new Int16Array(samples)
    let at = 0
    for (const chunk of waiting) {
      piece.set(chunk, at)
      at += chunk.length
    }
    waiting = []
    samples = 0
    return piece
  }
  for await (const chunk of chunks) {
    waiting.push(chunk)
    samples += chunk.length
    if (samples >= length) yield take()
  }
  if (samples > 0) yield take()
}
