import { globSync } from 'node:fs'
import path from 'node:path'

/**
 * Finds the package of a runtime in the folder `VAANI_TEST_RUNTIMES`, by pattern, because its name contains the platform. The folder
 * has packages for one platform only.
 */
export function findRuntime(pattern: string): string | undefined {
  const folder = process.env['VAANI_TEST_RUNTIMES']
  if (folder === undefined) return undefined
  const modules = path.resolve(folder, 'node_modules')
  return globSync(pattern, { cwd: modules }).map((name) => path.join(modules, name))[0]
}
