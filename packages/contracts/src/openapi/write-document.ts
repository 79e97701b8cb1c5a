import { writeFile } from 'node:fs/promises'
import { fullDocument } from './full-document.ts'

await writeFile(
  new URL('../../openapi.json', import.meta.url),
  `${JSON.stringify(fullDocument(), null, 2)}\n`,
)
