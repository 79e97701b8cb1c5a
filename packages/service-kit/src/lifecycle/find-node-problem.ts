import { readFileSync } from 'node:fs'

interface Manifest {
  readonly name: string
  readonly engines: { readonly node: string }
}

/**
 * Returns why this Node cannot run a package whose package.json requires, for example, `>=24.9`; null if it can. Uses only syntax
 * that every Node with modules parses.
 */
export function findNodeProblem(manifest: URL, version: string = process.versions.node): string | null {
  const { name, engines }: Manifest = JSON.parse(readFileSync(manifest, 'utf8'))
  const oldest = engines.node.replace('>=', '')
  const [major = 0, minor = 0] = partsOf(version)
  const [oldestMajor = 0, oldestMinor = 0] = partsOf(oldest)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null
  return `${name} needs Node ${oldest} or newer; this is ${major}.${minor}`
}

const partsOf = (version: string): number[] => version.split('.').map(Number)
