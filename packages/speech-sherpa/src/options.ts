import { access } from 'node:fs/promises'
import path from 'node:path'
import type { EngineLanguage } from '@vaani/speech'
import { EngineOptionsError } from '@vaani/speech/engine-kit'
import type { ProcessLimits } from './model-process.ts'

/**
 * Files of a model by its family, as paths, and the numbers that it is run with. sherpa-onnx documents them:
 * https://k2-fsa.github.io/sherpa/onnx/tts/. Piper models belong to `vits`.
 */
export type SherpaFiles =
  | {
      vits: {
        model: string
        tokens: string
        /** Folder `espeak-ng-data`, which Piper models need. */
        dataDir?: string | undefined
        lexicon?: string | undefined
        noiseScale?: number | undefined
        noiseScaleW?: number | undefined
        lengthScale?: number | undefined
      }
    }
  | {
      matcha: {
        acousticModel: string
        vocoder: string
        tokens: string
        dataDir?: string | undefined
        lexicon?: string | undefined
        noiseScale?: number | undefined
        lengthScale?: number | undefined
      }
    }
  | {
      kokoro: {
        model: string
        voices: string
        tokens: string
        dataDir?: string | undefined
        /** Paths, separated by commas. */
        lexicon?: string | undefined
        /** Language of the model's own that it reads in, such as `es`. */
        lang?: string | undefined
        lengthScale?: number | undefined
      }
    }
  | {
      kitten: {
        model: string
        voices: string
        tokens: string
        dataDir?: string | undefined
        lengthScale?: number | undefined
      }
    }

export interface SherpaLanguage {
  /** BCP-47, as in `ne-NP`. */
  tag: string
  /** Explains the shortcoming if the quality is not native. */
  note?: string | undefined
  /** Default `native`. */
  quality?: EngineLanguage['quality'] | undefined
}

export interface SherpaModel {
  files: SherpaFiles
  /** BCP-47 tags of the languages that the model speaks, or rows with more. */
  languages: readonly (string | SherpaLanguage)[]
  /** The model's speakers by our names of voices: `{ nova: 0, atlas: 5 }`. */
  voices: Readonly<Record<string, number>>
  /** Processes that speak at the same time, each with the whole model in memory. Default 1. */
  processes?: number | undefined
  /** Threads of each process. Default 1. */
  threads?: number | undefined
}

export interface SherpaEngineOptions {
  models: readonly SherpaModel[]
  /** Directory where `sherpa-onnx-node` is installed. Default: that of the process, then where this package finds it. */
  directory?: string | undefined
  /** Directory that relative paths of files start from. Default: that of the process. */
  filesFrom?: string | undefined
  /** A process that reports nothing for this long while it speaks is replaced. Default 30,000. */
  stallMs?: number | undefined
  /** Limit for loading a model. Default 120,000. */
  loadMs?: number | undefined
  /** Whether the models give the same samples for the same request; most draw noise. Default false. */
  repeatable?: boolean | undefined
}

export interface CheckedModel {
  /** As sherpa-onnx takes it, with absolute paths. */
  files: Readonly<Record<string, Readonly<Record<string, string | number>>>>
  languages: readonly (SherpaLanguage & { quality: EngineLanguage['quality'] })[]
  voices: Readonly<Record<string, number>>
  processes: number
  threads: number
}

const MAX_LIMIT_MS = 3_600_000
const MAX_PARALLEL = 64
const MAX_SPEAKER = 100_000
const FAMILIES = ['vits', 'matcha', 'kokoro', 'kitten']
/** Text members of files that are not paths. */
const NOT_PATHS = ['lang']

/** Checks the models and that their files exist, in their order. @throws EngineOptionsError that names the first problem */
export async function checkModels(
  models: readonly SherpaModel[],
  filesFrom = process.cwd(),
): Promise<CheckedModel[]> {
  mustBe(models.length > 0, 'models', 'must not be empty')
  const checked: CheckedModel[] = []
  for (const [index, model] of models.entries())
    checked.push(await checkModel(model, `models.${index}`, filesFrom))
  return checked
}

/** Checks the time limits and fills in the defaults. @throws EngineOptionsError */
export function checkLimits({ stallMs = 30_000, loadMs = 120_000 }: SherpaEngineOptions): ProcessLimits {
  mustBe(isWhole(stallMs, 1, MAX_LIMIT_MS), 'stallMs', `must be a whole number from 1 to ${MAX_LIMIT_MS}`)
  mustBe(isWhole(loadMs, 1, MAX_LIMIT_MS), 'loadMs', `must be a whole number from 1 to ${MAX_LIMIT_MS}`)
  return { stallMs, loadMs }
}

async function checkModel(model: SherpaModel, field: string, filesFrom: string): Promise<CheckedModel> {
  const { files, languages, voices, processes = 1, threads = 1 } = model
  mustBe(languages.length > 0, `${field}.languages`, 'must not be empty')
  mustBe(Object.keys(voices).length > 0, `${field}.voices`, 'must not be empty')
  for (const [voice, speaker] of Object.entries(voices))
    mustBe(isWhole(speaker, 0, MAX_SPEAKER), `${field}.voices.${voice}`, 'must be the number of a speaker')
  mustBe(isWhole(processes, 1, MAX_PARALLEL), `${field}.processes`, `must be 1 to ${MAX_PARALLEL}`)
  mustBe(isWhole(threads, 1, MAX_PARALLEL), `${field}.threads`, `must be 1 to ${MAX_PARALLEL}`)
  const rows = languages.map((row) => (typeof row === 'string' ? { tag: row } : row))
  for (const [place, { tag }] of rows.entries())
    mustBe(isLanguageTag(tag), `${field}.languages.${place}.tag`, 'must be a BCP-47 tag')
  return {
    files: await resolveFiles(files, `${field}.files`, filesFrom),
    languages: rows.map(({ quality = 'native', ...row }) => ({ ...row, quality })),
    voices,
    processes,
    threads,
  }
}

async function resolveFiles(files: SherpaFiles, field: string, from: string): Promise<CheckedModel['files']> {
  const [[family, members] = ['', {}], ...others] =
    Object.entries<Record<string, string | number | undefined>>(files)
  mustBe(others.length === 0 && FAMILIES.includes(family), field, `must have one of ${FAMILIES.join(', ')}`)
  const resolved: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue
    if (typeof value === 'number' || NOT_PATHS.includes(name)) {
      resolved[name] = value
      continue
    }
    const paths = value.split(',').map((file) => path.resolve(from, file))
    for (const file of paths)
      await access(file).catch((cause: NodeJS.ErrnoException) => {
        throw new EngineOptionsError(`${field}.${family}.${name}`, `cannot be read (${cause.code})`, {
          cause,
        })
      })
    resolved[name] = paths.join(',')
  }
  return { [family]: resolved }
}

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max

function mustBe(isValid: boolean, field: string, problem: string): void {
  if (!isValid) throw new EngineOptionsError(field, problem)
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
