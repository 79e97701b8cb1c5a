import { writeFile } from 'node:fs/promises'
import { fullDocument } from './full-document.ts'
import { migrationDocument } from './migration-document.ts'

const documents = { 'openapi.json': fullDocument(), 'openapi-migration.json': migrationDocument() }
for (const [name, document] of Object.entries(documents))
  await writeFile(new URL(`../../${name}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
