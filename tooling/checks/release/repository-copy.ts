import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readWorkspaces } from '../workspaces.ts'
import { runCommand } from './run-command.ts'

export interface PublishedPackage {
  readonly name: string
  readonly version: string
  /** Directory of its workspace, relative to the root: `packages/client`. */
  readonly directory: string
}

export interface RepositoryCopy {
  /** Runs the release commands from CONTRIBUTING.md. */
  release(): Promise<PublishedPackage[]>
  /** Changes one package, with a changeset. */
  addPatch(name: string): Promise<void>
}

const author = ['-c', 'user.name=rehearsal', '-c', 'user.email=rehearsal@localhost']

/** Copies the committed state into a folder in which versions and tags can be created. */
export async function copyRepository(options: {
  root: string
  directory: string
  npmrc: string
}): Promise<RepositoryCopy> {
  const { root, directory, npmrc } = options
  const run = (file: string, ...parameters: string[]): Promise<string> =>
    runCommand(file, parameters, {
      cwd: directory,
      environment: { TURBO_TELEMETRY_DISABLED: '1', pnpm_config_pm_on_fail: 'ignore' },
    })
  const commit = async (message: string): Promise<void> => {
    await run('git', 'add', '--all')
    await run('git', ...author, 'commit', '--quiet', '--allow-empty', '--no-verify', '--message', message)
  }
  await runCommand('git', ['clone', '--quiet', '--no-tags', root, directory], { cwd: root })
  await run('git', 'config', 'user.name', 'rehearsal')
  await run('git', 'config', 'user.email', 'rehearsal@localhost')
  await writeFile(path.join(directory, '.npmrc'), npmrc)
  await run('pnpm', 'install', '--frozen-lockfile', '--prefer-offline')

  return {
    async release() {
      await run('pnpm', 'release:version')
      await commit('Version packages')
      const before = await run('git', 'tag')
      await run('pnpm', 'release:publish')
      if ((await run('git', 'status', '--porcelain')) !== '')
        throw new Error('`pnpm release:publish` left changes behind')
      const known = new Set(before.split('\n'))
      const tags = (await run('git', 'tag')).split('\n').filter((tag) => tag !== '' && !known.has(tag))
      const directories = new Map(
        readWorkspaces(directory).map((workspace) => [workspace.manifest.name, workspace.directory]),
      )
      return tags.map((tag) => {
        const [name, version] = [tag.slice(0, tag.lastIndexOf('@')), tag.slice(tag.lastIndexOf('@') + 1)]
        return { name, version, directory: directories.get(name) ?? '' }
      })
    },
    async addPatch(name) {
      const workspace = readWorkspaces(directory).find(({ manifest }) => manifest.name === name)
      const readme = path.join(directory, workspace?.directory ?? '', 'README.md')
      await writeFile(readme, `${await readFile(readme, 'utf8')}\nUpgraded.\n`)
      const changeset = `---\n'${name}': patch\n---\n\nA second release, to rehearse an upgrade.\n`
      await writeFile(path.join(directory, '.changeset/rehearsal.md'), changeset)
      await commit('A change')
    },
  }
}
