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
  const content: EnginesInput = JSON.parse(skipByteOrderMark(text))
  return content
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
