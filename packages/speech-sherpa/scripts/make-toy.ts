/** Writes the toy model: `node packages/speech-sherpa/scripts/make-toy.ts`. */
import { writeFile } from 'node:fs/promises'
import { toyModel, toyTokens } from './toy-model.ts'

const folder = new URL('../toy/', import.meta.url)
await writeFile(new URL('toy.onnx', folder), toyModel())
await writeFile(new URL('tokens.txt', folder), toyTokens())
