import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Modules by which a test file tries more in the project `long`, see `thorough`. */
const MODULES = ["'@vaani/test-services/thorough'", "'@vaani/browser/console'"]

/** Returns the test files below a folder that try more in the project `long`. */
export const findThorough = (root: string): string[] =>
  globSync('{packages,apps,tooling}/*/{src,test}/**/*.{test,e2e}.ts', { cwd: root }).filter((file) => {
    const source = readFileSync(path.join(root, file), 'utf8')
    return MODULES.some((module) => source.includes(module))
  })
