/**
 * Writes every file that derives from the contracts, except the API reports, which need a build. With `--check`, writes nothing and
 * fails if a file is stale.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fullDocument, migrationDocument } from '@vaani/contracts/openapi'
import { errorCodes, readRequests } from './read-operations.ts'
import { writeChoices, writeErrorStatuses } from './write-choices.ts'
import { writeErrorVectors } from './write-error-vectors.ts'
import { writeEvents } from './write-events.ts'
import { writeFeatures } from './write-features.ts'
import { writeRoutes, writeRouteTable } from './write-routes.ts'
import { writeTypes } from './write-types.ts'

const root = path.resolve(import.meta.dirname, '../..')
const ARCHITECTURE = 'docs/architecture.md'
const isCheck = process.argv.includes('--check')

const document = fullDocument()
const { operations, schemas } = readRequests()
const codes = errorCodes()
/** Left alone by the formatter. */
const documents = {
  'packages/contracts/openapi.json': document,
  'packages/contracts/openapi-migration.json': migrationDocument(),
}
const sources = {
  'packages/client/src/generated/routes.ts': writeRoutes(operations, schemas),
  'packages/client/src/generated/route-table.ts': writeRouteTable(operations, codes),
  'packages/client/src/generated/types.ts': writeTypes({ operations, schemas, codes }),
  'packages/webhook-verifier/src/events.ts': writeEvents(document['webhooks'], schemas),
  'packages/cli/src/generated/choices.ts': writeChoices(),
  'packages/cli/src/generated/error-statuses.ts': writeErrorStatuses(codes),
  'interop/error-codes.json': writeErrorVectors(codes),
  [ARCHITECTURE]: writeFeatures(readFileSync(path.join(root, ARCHITECTURE), 'utf8'), {
    root,
    app: 'apps/server',
  }),
}

const files = [
  ...Object.entries(documents).map(([name, value]) => [name, `${JSON.stringify(value, null, 2)}\n`] as const),
  ...format(sources),
]
const stale = files.filter(([name, text]) => readIfThere(path.join(root, name)) !== text)
if (!isCheck) for (const [name, text] of stale) writeFileSync(path.join(root, name), text)
for (const [name] of stale) console.log(`${isCheck ? 'stale' : 'written'}: ${name}`)
if (isCheck && stale.length > 0) {
  console.log('Run `pnpm generate`, and commit what it writes.')
  process.exitCode = 1
}

function format(texts: Readonly<Record<string, string>>): (readonly [name: string, text: string])[] {
  // Inside the repository, so that the formatter finds its configuration.
  const work = mkdtempSync(path.join(import.meta.dirname, '.generated-'))
  const placeOf = (name: string): string => path.join(work, name.replaceAll('/', '+'))
  try {
    for (const [name, text] of Object.entries(texts)) writeFileSync(placeOf(name), text)
    execFileSync(path.join(root, 'node_modules/.bin/oxfmt'), [work], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return Object.keys(texts).map((name) => [name, readFileSync(placeOf(name), 'utf8')])
  } finally {
    rmSync(work, { recursive: true })
  }
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
