import { readFile } from 'node:fs/promises'
import { skipByteOrderMark } from '@vaani/service-kit/byte-order-mark'
import { ESPEAK_ENGINE, FLITE_ENGINE } from '../engine.ts'
import { type EnginesInput, readEnginesFile } from '../engines-file.ts'
import { AddVoiceError } from './add-voice-error.ts'

/**
 * Reads the engines' file as it is written, or one that says what the server does without a file.
 *
 * @throws AddVoiceError if it cannot be read
 * @throws ConfigError if it is invalid
 */
export async function readContent(file: string): Promise<EnginesInput> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new AddVoiceError(`${file} cannot be read (${error.code})`)
  })
  if (text === null) return embeddedOnly()
  await readEnginesFile(file)
  return withoutNulls(JSON.parse(skipByteOrderMark(text)))
}

/** Leaves out what counts as absent, apart from members of an engine, which stay as they are written. */
function withoutNulls({ engines, routes }: EnginesInput): EnginesInput {
  return {
    engines: Object.fromEntries(Object.entries(engines).filter(([, entry]) => entry !== null)),
    ...(routes && {
      routes: routes.map(({ languages, voices, engines: names }) => ({
        ...(languages && { languages }),
        ...(voices && { voices }),
        engines: names,
      })),
    }),
  }
}

/** @throws AddVoiceError if the file has an engine of this name */
export async function readWithout(file: string, name: string): Promise<EnginesInput> {
  const content = await readContent(file)
  if (Object.hasOwn(content.engines, name))
    throw new AddVoiceError(`${file} has an engine ${name} already. Remove it there first`)
  return content
}

function embeddedOnly(): EnginesInput {
  const engines: EnginesInput['engines'] = {
    ...(isInstalled(FLITE_ENGINE) && { flite: { type: 'flite' } }),
    ...(isInstalled(ESPEAK_ENGINE) && { espeak: { type: 'espeak' } }),
  }
  if (Object.keys(engines).length < 2) return { engines }
  return { engines, routes: [{ languages: ['en'], engines: ['flite'] }, { engines: ['espeak'] }] }
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
