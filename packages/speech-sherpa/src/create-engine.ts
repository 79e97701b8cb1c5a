import {
  type EngineCapabilities,
  type EngineLanguage,
  type SpeechEngine,
  speakableText,
  SpeechError,
} from '@vaani/speech'
import { atRate, EngineOptionsError, withEnergy } from '@vaani/speech/engine-kit'
import { describeMissing, findSherpa } from './load-sherpa.ts'
import { createModelPool, type ModelPool } from './model-pool.ts'
import { type CheckedModel, checkLimits, checkModels, type SherpaEngineOptions } from './options.ts'

/** Text that may have a sound, in some model. */
const AUDIBLE = /[\p{L}\p{N}\p{S}]/u
/** Text that must have a sound. A model without a symbol for it refuses it. */
const SPOKEN = /[\p{L}\p{N}]/u

interface LoadedModel extends CheckedModel {
  pool: ModelPool
  sampleRateHz: number
}

/**
 * Loads the models, each in processes of its own, and creates the engine.
 *
 * @throws EngineOptionsError that names the invalid option
 * @throws SpeechError `engine_failed` if a model cannot be loaded, with what sherpa-onnx printed
 * @example
 * const engine = await createEngine({
 *   models: [
 *     {
 *       files: { vits: { model: 'ne.onnx', tokens: 'tokens.txt', dataDir: 'espeak-ng-data' } },
 *       languages: ['ne-NP'],
 *       voices: { nova: 0, atlas: 3 },
 *     },
 *   ],
 * })
 */
export async function createEngine(options: SherpaEngineOptions): Promise<SpeechEngine> {
  const { directory, repeatable = false } = options
  const limits = checkLimits(options)
  const models = await checkModels(options.models, options.filesFrom)
  const sherpa = findSherpa(directory)
  if (sherpa === undefined) throw new EngineOptionsError('directory', describeMissing(directory))
  const pools = models.map(({ files, threads, processes }) =>
    createModelPool({ settings: { files, threads, sherpa }, processes, limits }),
  )
  const close = async () => void (await Promise.all(pools.map((pool) => pool.close())))
  try {
    return toEngine(await loadModels(models, pools), { repeatable, close })
  } catch (error) {
    await close()
    throw error
  }
}

const loadModels = (models: readonly CheckedModel[], pools: readonly ModelPool[]): Promise<LoadedModel[]> =>
  Promise.all(
    pools.map(async (pool, index) => {
      const model = models[index]
      const { sampleRateHz, speakers } = await pool.load()
      if (model === undefined) throw new TypeError('Each model has one pool')
      for (const [voice, speaker] of Object.entries(model.voices))
        if (speaker >= speakers)
          throw new EngineOptionsError(
            `models.${index}.voices.${voice}`,
            `must be below ${speakers}, the model's speakers`,
          )
      return { ...model, pool, sampleRateHz }
    }),
  )

function toEngine(
  models: readonly LoadedModel[],
  { repeatable, close }: { repeatable: boolean; close: () => Promise<void> },
): SpeechEngine {
  const capabilities = { ...describe(models), repeatable, pitch: false }
  const { sampleRateHz } = capabilities
  return {
    id: 'sherpa',
    // Its binary contains eSpeak NG, which turns text into phonemes for Piper and Kokoro.
    license: 'Apache-2.0 AND GPL-3.0-or-later',
    capabilities: () => capabilities,
    async *synthesize({ text, language, voice, prosody }, synthesisOptions = {}) {
      const speaking = models.filter(({ languages }) => languages.some(({ tag }) => tag === language))
      if (speaking.length === 0)
        throw new SpeechError('language_not_supported', 'The engine does not speak this language')
      const model = speaking.find(({ voices }) => Object.hasOwn(voices, voice))
      const speaker = model?.voices[voice]
      if (model === undefined || speaker === undefined)
        throw new SpeechError('voice_not_found', 'The engine has no such voice for this language')
      const words = speakableText(text)
      if (!AUDIBLE.test(words)) return
      const samples = model.pool.speak({ text: words, speaker, speed: prosody.rate }, synthesisOptions)
      try {
        for await (const chunk of atRate(samples, { fromHz: model.sampleRateHz, toHz: sampleRateHz }))
          yield withEnergy(chunk, prosody.energy)
      } catch (error) {
        const isSilent = error instanceof SpeechError && error.code === 'text_refused' && !SPOKEN.test(words)
        if (!isSilent) throw error
      }
    },
    close,
  }
}

function describe(models: readonly LoadedModel[]): EngineCapabilities {
  const voices = [...new Set(models.flatMap((model) => Object.keys(model.voices)))]
  const languages = new Map<string, EngineLanguage>()
  for (const { tag, quality, note } of models.flatMap((model) => model.languages)) {
    if (languages.has(tag)) continue
    const own = voices.filter((voice) =>
      models.some(
        (model) => Object.hasOwn(model.voices, voice) && model.languages.some((row) => row.tag === tag),
      ),
    )
    languages.set(tag, {
      tag,
      quality,
      ...(note !== undefined && { note }),
      ...(own.length < voices.length && { voices: own }),
    })
  }
  return {
    languages: [...languages.values()],
    voices,
    // Of different rates the highest, which loses nothing.
    sampleRateHz: Math.max(...models.map((model) => model.sampleRateHz)),
  }
}
