import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { createSpeechRouter, type RouterEvent, type SpeechEngine, SpeechError } from '@vaani/speech'
import { EngineOptionsError } from '@vaani/speech/engine-kit'
import type { FliteOptions } from '@vaani/speech-flite'
import type * as SherpaAdapter from '@vaani/speech-sherpa'
import { type EngineEntry, ENGINES_VARIABLE, type EnginesFile, readEnginesFile } from './engines-file.ts'
import type { SpeechEvent } from './events.ts'
import type { SpeechSettings } from './settings.ts'

export const ESPEAK_ENGINE = '@vaani/speech-espeak'
export const FLITE_ENGINE = '@vaani/speech-flite'
/** Not a dependency, because the binary that it loads contains code under the GPL and has 44 MB. */
export const SHERPA_ENGINE = '@vaani/speech-sherpa'

interface Needs {
  settings: SpeechSettings
  log: Logger
  events: Events<SpeechEvent>
  /** Whether threads of the embedded engines start at once; those of a file start as it says. */
  warmsSpeech: boolean
}

/**
 * Loads the engines of the operator's file, or else the embedded engines; returns null if their packages are not installed. The
 * packages are optional: eSpeak NG has a different licence, and Flite is large. Without both, routes that need speech return 503.
 *
 * @throws ConfigError that names what is wrong with the file
 */
export async function loadSpeechEngine(needs: Needs): Promise<SpeechEngine | null> {
  const { settings, log, events, warmsSpeech } = needs
  const { speechEnginesFile, speechApiKey } = settings
  if (speechEnginesFile !== undefined) return loadFile(speechEnginesFile, speechApiKey, events)
  const threads = warmsSpeech ? {} : { warmWorkers: 0 }
  const [flite, espeak] = await Promise.all([
    orMissing(createFlite(threads)),
    orMissing(createEspeak(threads)),
  ])
  if (flite !== undefined && espeak !== undefined)
    // Never one instead of the other, so that the same request always sounds the same.
    return createSpeechRouter({
      engines: { flite, espeak },
      routes: [{ languages: ['en'], engines: ['flite'] }, { engines: ['espeak'] }],
      onEvent: (event) => record(event, events),
    })
  const only = flite ?? espeak
  if (only !== undefined) return only
  log.warn(
    { engines: [FLITE_ENGINE, ESPEAK_ENGINE] },
    'No speech engine is installed; speech routes return 503',
  )
  return null
}

const orMissing = (engine: Promise<SpeechEngine>): Promise<SpeechEngine | undefined> =>
  engine.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

async function loadFile(
  file: string,
  apiKey: string | undefined,
  events: Events<SpeechEvent>,
): Promise<SpeechEngine> {
  const { engines: entries, routes } = await readEnginesFile(file)
  const engines: Record<string, SpeechEngine> = {}
  try {
    for (const [name, entry] of Object.entries(entries))
      engines[name] = await explain(`engines.${name}`, () => createEngine(name, entry, { file, apiKey }))
    return await explain('', () =>
      createSpeechRouter({
        engines,
        ...(routes && { routes: routes.map(toRoute) }),
        onEvent: (event) => record(event, events),
      }),
    )
  } catch (error) {
    await Promise.all(Object.values(engines).map((engine) => engine.close()))
    throw error
  }
}

const toRoute = ({ languages, voices, engines }: NonNullable<EnginesFile['routes']>[number]) => ({
  engines,
  ...(languages && { languages }),
  ...(voices && { voices }),
})

async function createEngine(
  name: string,
  entry: EngineEntry,
  { file, apiKey }: { file: string; apiKey: string | undefined },
): Promise<SpeechEngine> {
  const folder = path.dirname(path.resolve(file))
  switch (entry.type) {
    case 'openai': {
      const { createEngine } = await import('@vaani/speech-openai')
      return createEngine({ ...entry.options, apiKey: await readKey(name, entry, folder, apiKey) })
    }
    case 'sherpa':
      return createSherpa({ ...entry.options, filesFrom: folder })
    case 'espeak':
      return createEspeak(entry.options)
    case 'flite':
      return createFlite(entry.options)
  }
}

async function readKey(
  name: string,
  { apiKeyFile, usesEnvironmentKey }: Extract<EngineEntry, { type: 'openai' }>,
  folder: string,
  apiKey: string | undefined,
): Promise<string | undefined> {
  if (usesEnvironmentKey) {
    if (apiKey === undefined)
      throw new ConfigError(`VAANI_SPEECH_API_KEY is not set, but engines.${name} uses it`)
    return apiKey
  }
  if (apiKeyFile === undefined) return undefined
  const key = await readFile(path.resolve(folder, apiKeyFile), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      throw new EngineOptionsError('apiKeyFile', `cannot be read (${error.code})`)
    },
  )
  return key.trim()
}

interface EmbeddedOptions {
  workers?: number
  warmWorkers?: number
}

async function createEspeak(options: EmbeddedOptions): Promise<SpeechEngine> {
  const { createEngine } = await import(ESPEAK_ENGINE)
  return createEngine(options)
}

async function createFlite(options: FliteOptions): Promise<SpeechEngine> {
  const { createEngine } = await import(FLITE_ENGINE)
  return createEngine(options)
}

/** Loads the adapter from the operator's directory, by default that of the process, or from where the server finds it. */
export async function createSherpa(options: SherpaAdapter.SherpaEngineOptions): Promise<SpeechEngine> {
  const require = createRequire(path.join(path.resolve(options.directory ?? '.'), 'package.json'))
  // Not by an `import` of the path, because that is the CommonJS file of the package, whose names Node does not see.
  const { createEngine }: typeof SherpaAdapter = isFound(require)
    ? require(SHERPA_ENGINE)
    : await import(SHERPA_ENGINE)
  return createEngine(options)
}

function isFound(require: NodeJS.Require): boolean {
  try {
    require.resolve(SHERPA_ENGINE)
    return true
  } catch {
    return false
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'

/** Turns the error of an engine that cannot be created into one that names the member of the file. */
async function explain<Value>(member: string, create: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await create()
  } catch (error) {
    if (error instanceof EngineOptionsError) throw toConfigError(member, error)
    if (error instanceof SpeechError) throw new ConfigError(`${ENGINES_VARIABLE} ${member}: ${error.message}`)
    if (isMissing(error))
      throw new ConfigError(`${ENGINES_VARIABLE} ${member}: the package of the engine is not installed`)
    throw error
  }
}

function toConfigError(member: string, { field, message }: EngineOptionsError): ConfigError {
  // The files of a model are named as in sherpa-onnx.
  const own = field.includes('.files')
    ? field
    : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const place = member === '' ? own : `${member}.${own}`
  return new ConfigError(`${ENGINES_VARIABLE} ${place}${message.slice(field.length)}`)
}

function record(event: RouterEvent, events: Events<SpeechEvent>): void {
  const { engine } = event
  switch (event.type) {
    case 'failed': {
      const { code, message } = event.error
      return events.record('engine_failed', {
        engine,
        code,
        reason: message,
        state: event.isHeard ? 'during_audio' : 'before_audio',
      })
    }
    case 'resting':
      return events.record('engine_resting', { engine, duration_ms: Math.round(event.restMs) })
    case 'recovered':
      return events.record('engine_recovered', { engine })
  }
}
