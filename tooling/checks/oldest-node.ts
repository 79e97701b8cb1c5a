import { readWorkspaces, type Workspace } from './workspaces.ts'

/** The oldest line of Node that published packages support, and its package in CI. */
const OLDEST = /^>=22(?:\.|$)/

/** Lists the published packages that support Node 22. */
export const listForOldestNode = (root: string): Workspace[] =>
  readWorkspaces(root).filter(({ manifest }) => manifest.private !== true && OLDEST.test(nodeOf(manifest)))

/** Returns what a package requires of Node, such as `>=22.12`. */
function nodeOf({ engines }: Workspace['manifest']): string {
  const isObject = typeof engines === 'object' && engines !== null
  return isObject && 'node' in engines ? String(engines.node) : ''
}
