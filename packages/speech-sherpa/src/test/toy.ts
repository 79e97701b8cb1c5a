import { fileURLToPath } from 'node:url'
import type { SherpaEngineOptions } from '../options.ts'

/** Folder of the toy model. */
export const TOY_FOLDER = fileURLToPath(new URL('../../toy/', import.meta.url))

export const TOY_FILES = { vits: { model: 'toy.onnx', tokens: 'tokens.txt' } } as const

/** Options for an engine of the toy model, whose samples are the same each time. */
export const TOY: SherpaEngineOptions = {
  filesFrom: TOY_FOLDER,
  repeatable: true,
  models: [{ files: TOY_FILES, languages: ['en-US'], voices: { nova: 0, atlas: 1 } }],
}
