/**
 * `pnpm release:version`: turns the changesets into versions and changelogs, and stores the contract's document for comparison
 * with later ones.
 */
import { cp, mkdir } from 'node:fs/promises'
import path from 'node:path'
import {
  CURRENT_DOCUMENT,
  findBreakingChangesSinceRelease,
  isMajorAnnounced,
  RELEASED_DOCUMENT,
} from '../contract/released-document.ts'
import { readWorkspaces } from '../workspaces.ts'
import { runCommand } from './run-command.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const contractVersion = (): string | undefined =>
  readWorkspaces(root).find(({ manifest }) => manifest.name === '@vaani/contracts')?.manifest.version

const breaking = findBreakingChangesSinceRelease(root) ?? []
if (breaking.length > 0 && !isMajorAnnounced(root))
  throw new Error(`The contract needs a major version:\n${breaking.join('\n')}`)
const before = contractVersion()
console.log(await runCommand('pnpm', ['exec', 'changeset', 'version'], { cwd: root }))
if (contractVersion() !== before) {
  await mkdir(path.dirname(path.join(root, RELEASED_DOCUMENT)), { recursive: true })
  await cp(path.join(root, CURRENT_DOCUMENT), path.join(root, RELEASED_DOCUMENT))
}
