import { spawnSync } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Files that no published package contains, and that no check of one reads. */
const development = /\.(?:test|e2e|fixture)\.ts$|\/(?:test|bench|fuzz|chaos)\//

/** What the result of a check depends on, besides the toolchain: files whose path matches, without the others. */
export interface Inputs {
  readonly files: RegExp
  /** Whether tests and benchmarks count. */
  readonly withDevelopment?: true
}

/** Remembers which checks passed on which inputs, so that only those run again whose inputs have changed. */
export interface PassedBefore {
  has(check: string, inputs: Inputs): boolean
  add(check: string, inputs: Inputs): void
}

export function openPassedBefore(root: string): PassedBefore {
  const folder = path.join(root, 'node_modules/.cache/checks')
  const files = listFiles(root)
  const hashes = new Map<string, string>()

  function digest(check: string, { files: pattern, withDevelopment }: Inputs): string {
    const hash = createHash('sha256').update(`${check} ${process.version} `)
    for (const file of files)
      if (isToolchain(file) || (pattern.test(file) && (withDevelopment || !development.test(file))))
        hash.update(`${file} ${hashOf(file)}\n`)
    return hash.digest('hex')
  }

  function hashOf(file: string): string {
    const known = hashes.get(file)
    if (known !== undefined) return known
    const hash = addFile(createHash('sha256'), path.join(root, file)).digest('hex')
    hashes.set(file, hash)
    return hash
  }

  const markOf = (check: string) => path.join(folder, check.replaceAll(' ', '-'))
  return {
    has(check, inputs) {
      return readIfThere(markOf(check)) === digest(check, inputs)
    },
    add(check, inputs) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(markOf(check), digest(check, inputs))
    },
  }
}

const isToolchain = (file: string): boolean =>
  file === 'pnpm-lock.yaml' || file === 'package.json' || /^tooling\/(?:checks|tsconfig)\//.test(file)

/** Lists the files of the working tree that git does not ignore. */
function listFiles(root: string): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  return stdout.split('\0').filter(Boolean).toSorted()
}

/** A file that was deleted counts as an empty one. */
const addFile = (hash: Hash, file: string): Hash => hash.update(readIfThere(file) ?? '')

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
