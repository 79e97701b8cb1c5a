import { availableParallelism } from 'node:os'
import { createTurns } from '@vaani/turns'
import { NEUTRAL } from '../emotions.ts'
import { sampleRateOf, type SpeechEngine, speaksIn } from '../engine.ts'
import { supportedLanguage } from '../spoken-languages.ts'
import { explainTurns } from '../engine-kit/explain-turns.ts'
import { SpeechError } from '../speech-error.ts'
import type { ExamineRequest, RecordingProblem } from './examine-messages.ts'
import { createExamineThreads } from './examine-threads.ts'
import { matchVoice, type ParametricVoice } from './match-voice.ts'
import type { VoiceMeasure } from './measure-voice.ts'
import { referenceText } from './reference-texts.ts'

/** Requests that may wait for a thread, in all and of one tenant. */
const MAX_WAITING = { maxWaiting: 64, maxWaitingPerTenant: 32 }
/** Voices of an engine that are compared: vendors charge for each. */
const MAX_BASES = 8

export type { RecordingProblem } from './examine-messages.ts'

/** Reports recordings that cannot be used for a voice. */
export class RecordingsError extends Error {
  override readonly name = 'RecordingsError'
  readonly problems: readonly RecordingProblem[]

  constructor(problems: readonly RecordingProblem[]) {
    super('The recordings cannot be used')
    this.problems = problems
  }
}

/** Makes voices of recordings, in threads of its own. */
export interface VoiceExaminer {
  /**
   * Makes a parametric voice of recordings of one speaker.
   *
   * @param files 3 to 60 s each, in any format of `decodeAudio`
   * @param options.language BCP-47 language of the recordings, which the engine's voices are compared in if they speak it
   * @param options.tenant owner of the request, such as an account id; tenants take turns
   * @throws RecordingsError with every problem of every recording; SpeechError
   */
  cloneVoice(
    files: readonly string[],
    options: { language?: string; tenant?: string },
  ): Promise<ParametricVoice>
  /** Idempotent. */
  close(): Promise<void>
}

/**
 * Creates an examiner for an engine. Its voices are measured once per language, when a voice is first compared with them.
 *
 * @param options.threads default: one fewer than the machine's cores, at least one
 * @example
 * const examiner = createVoiceExaminer(engine)
 * const voice = await examiner.cloneVoice(['sita.wav'], { language: 'ne-NP' })
 * const cloned = withVoice(engine, 'sita', voice)
 */
export function createVoiceExaminer(engine: SpeechEngine, options: { threads?: number } = {}): VoiceExaminer {
  const { threads = Math.max(1, availableParallelism() - 1) } = options
  const examineThreads = createExamineThreads()
  const turns = createTurns({ places: threads, ...MAX_WAITING })
  const bases = new Map<string, Promise<{ name: string; measure: VoiceMeasure }[]>>()
  const closing = new AbortController()

  async function examine(request: ExamineRequest, tenant?: string): Promise<VoiceMeasure> {
    using _place = await turns.take({ tenant }).catch(explainTurns)
    const reply = await examineThreads.examine(request).catch((error: unknown) => {
      throw failure(error)
    })
    if (reply.type === 'refused') throw new RecordingsError(reply.problems)
    if (reply.type === 'failed') throw failure(reply.error)
    return reply.voice
  }

  const failure = (cause: unknown) =>
    closing.signal.aborted
      ? new SpeechError('engine_closed', 'The examination of voices is closed')
      : new SpeechError('engine_failed', 'The recordings could not be examined', { cause })

  async function measureBases(language: string): Promise<{ name: string; measure: VoiceMeasure }[]> {
    const capabilities = engine.capabilities()
    const sampleRateHz = sampleRateOf(capabilities, language)
    const names = capabilities.voices
      .filter((voice) => speaksIn(capabilities, language, voice))
      .slice(0, MAX_BASES)
    const request = { text: referenceText(language), language, prosody: NEUTRAL }
    return Promise.all(
      names.map(async (voice) => {
        const chunks = await Array.fromAsync(
          engine.synthesize({ ...request, voice }, { signal: closing.signal }),
        )
        const samples = Int16Array.from(chunks.flatMap((chunk) => [...chunk]))
        return { name: voice, measure: await examine({ type: 'speech', samples, sampleRateHz }) }
      }),
    )
  }

  function basesFor(tag: string): Promise<{ name: string; measure: VoiceMeasure }[]> {
    const known = bases.get(tag)
    if (known !== undefined) return known
    const measuring = measureBases(tag)
    bases.set(tag, measuring)
    // A failure is of this moment.
    measuring.catch(() => bases.delete(tag))
    return measuring
  }

  return {
    async cloneVoice(files, { language = 'en-US', tenant }) {
      const voice = await examine({ type: 'recordings', files }, tenant)
      const tag = supportedLanguage(engine, language)?.accent ?? engine.capabilities().languages[0]?.tag
      if (tag === undefined) throw new SpeechError('language_not_supported', 'The engine speaks no language')
      return matchVoice(voice, await basesFor(tag))
    },
    async close() {
      closing.abort()
      turns.close()
      await examineThreads.close()
    },
  }
}
