/**
 * Generates `packages/client/src/generated` and the verifier's event types from the contracts. With `--check`, writes nothing and
 * fails if a file is stale.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fullDocument } from '@vaani/contracts/openapi'
import { errorCodes, readRequests } from './read-operations.ts'
import { writeEvents } from './write-events.ts'
import { writeRoutes, writeRouteTable } from './write-routes.ts'
import { writeTypes } from './write-types.ts'

const root = path.resolve(import.meta.dirname, '../..')
const client = 'packages/client/src/generated'

const { operations, schemas } = readRequests()
const codes = errorCodes()
const files = {
  [`${client}/routes.ts`]: writeRoutes(operations, schemas),
  [`${client}/route-table.ts`]: writeRouteTable(operations, codes),
  [`${client}/types.ts`]: writeTypes({ operations, schemas, codes }),
  'packages/webhook-verifier/src/events.ts': writeEvents(fullDocument()['webhooks'], schemas),
}

// Inside the repository, so that the formatter finds its configuration.
const work = mkdtempSync(path.join(root, 'packages/client/.generated-'))
try {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(work, path.basename(name)), text)
  execFileSync(path.join(root, 'node_modules/.bin/oxfmt'), [work], { cwd: root, stdio: 'inherit' })
  const stale = Object.keys(files).filter((name) => {
    const made = readFileSync(path.join(work, path.basename(name)), 'utf8')
    if (readIfThere(path.join(root, name)) === made) return false
    if (!process.argv.includes('--check')) writeFileSync(path.join(root, name), made)
    return true
  })
  if (process.argv.includes('--check') && stale.length > 0) {
    console.log(`stale: ${stale.join(', ')}; run pnpm --filter @vaani/client generate`)
    process.exitCode = 1
  }
} finally {
  rmSync(work, { recursive: true })
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
