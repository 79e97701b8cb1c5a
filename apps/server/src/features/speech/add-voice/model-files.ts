import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { SherpaFiles } from '@vaani/speech-sherpa'
import { AddVoiceError } from './add-voice-error.ts'
import type { ModelFamily } from './known-voices.ts'

/**
 * Finds the files of a model by the names that the archives of sherpa-onnx give them.
 *
 * @returns a function that puts the path of their folder before each
 * @throws AddVoiceError that names what is missing
 */
export async function findModelFiles(
  folder: string,
  family: ModelFamily,
): Promise<(prefix: string) => SherpaFiles> {
  const names = await readdir(folder)
  const models = names.filter((name) => name.endsWith('.onnx'))
  const [model, ...others] = models
  if (model === undefined || others.length > 0)
    throw new AddVoiceError(`The archive must have one file that ends in .onnx, and has ${models.length}`)
  const required = family === 'vits' ? ['tokens.txt'] : ['tokens.txt', 'voices.bin']
  const missing = required.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new AddVoiceError(`The archive lacks ${missing.join(' and ')}`)
  return (prefix) => {
    const at = (name: string) => path.join(prefix, name)
    const files = {
      model: at(model),
      tokens: at('tokens.txt'),
      ...(names.includes('espeak-ng-data') && { dataDir: at('espeak-ng-data') }),
    }
    switch (family) {
      case 'vits':
        return { vits: { ...files, ...(names.includes('lexicon.txt') && { lexicon: at('lexicon.txt') }) } }
      case 'kokoro':
        return { kokoro: { ...files, voices: at('voices.bin') } }
      case 'kitten':
        return { kitten: { ...files, voices: at('voices.bin') } }
    }
  }
}
