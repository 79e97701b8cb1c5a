import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Workspace } from '../workspaces.ts'
import { runCommand } from './run-command.ts'

/**
 * Builds workspaces into empty folders. The build cache restores files without removing others, so a tarball could contain
 * the output of an earlier build.
 */
export async function buildClean(root: string, workspaces: readonly Workspace[]): Promise<void> {
  const folders = workspaces.map(({ directory }) => path.join(root, directory, 'dist'))
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  const filters = workspaces.map(({ manifest }) => `--filter=${manifest.name}`)
  await runCommand('pnpm', ['exec', 'turbo', 'run', 'build', ...filters], { cwd: root })
}
