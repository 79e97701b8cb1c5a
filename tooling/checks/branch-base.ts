import { spawnSync } from 'node:child_process'

/** Returns the commit at which this branch left main, or undefined without a main branch. */
export function branchBase(root: string): string | undefined {
  for (const main of ['upstream/main', 'origin/main', 'main']) {
    const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', main], { cwd: root, encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  return undefined
}
