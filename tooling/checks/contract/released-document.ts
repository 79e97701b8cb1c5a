import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findBreakingChanges } from './compare-documents.ts'
import type { JsonObject } from './json.ts'

export const CURRENT_DOCUMENT = 'packages/contracts/openapi.json'
/** The document of the last release; `pnpm release:version` writes it. Before the first release there is none. */
export const RELEASED_DOCUMENT = 'packages/contracts/released/openapi.json'

/** Lists the current contract's breaking changes since the last release; undefined before the first release. */
export function findBreakingChangesSinceRelease(root: string): readonly string[] | undefined {
  const read = (file: string): JsonObject => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  if (!existsSync(path.join(root, RELEASED_DOCUMENT))) return undefined
  return findBreakingChanges(read(RELEASED_DOCUMENT), read(CURRENT_DOCUMENT))
}

/** Returns whether a changeset announces a major version of the contract. */
export const isMajorAnnounced = (root: string): boolean =>
  globSync('.changeset/*.md', { cwd: root }).some((file) =>
    announcesMajor(readFileSync(path.join(root, file), 'utf8')),
  )

export function announcesMajor(changeset: string): boolean {
  const [, frontMatter = ''] = /^---\r?\n([\s\S]*?)^---/m.exec(changeset) ?? []
  return /^\s*(['"]?)@vaani\/contracts\1\s*:\s*(['"]?)major\2\s*$/m.test(frontMatter)
}
