import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the built pages are, and how they are built if this is a clone. */
export interface PagesPlace {
  folder: string
  /** Script that builds them if they are not up to date; null in the published package. */
  buildScript: string | null
}

/** Finds the pages: beside the bundle in the published package, in their own workspace in a clone. */
export function findPages(): PagesPlace {
  const bundled = fileURLToPath(new URL('console', import.meta.url))
  if (existsSync(bundled)) return { folder: bundled, buildScript: null }
  const workspace = new URL('../../../../../console/', import.meta.url)
  return {
    folder: fileURLToPath(new URL('dist', workspace)),
    buildScript: fileURLToPath(new URL('scripts/build.ts', workspace)),
  }
}
