import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Workspace } from '../workspaces.ts'
import { runCommand } from './run-command.ts'
import { writeCommonJs } from './write-commonjs.ts'

/**
 * Builds workspaces into empty folders, ready to be packed. The build cache restores files without removing others, so a
 * tarball could contain the output of an earlier build.
 */
export async function buildClean(root: string, workspaces: readonly Workspace[]): Promise<void> {
  const directories = workspaces.map(({ directory }) => directory)
  const folders = directories.map((directory) => path.join(root, directory, 'dist'))
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  const filters = workspaces.map(({ manifest }) => `--filter=${manifest.name}`)
  await runCommand('pnpm', ['exec', 'turbo', 'run', 'build', ...filters], { cwd: root })
  await writeCommonJs(root, directories)
}
