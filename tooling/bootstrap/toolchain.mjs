import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'

import { BootstrapError } from './errors.mjs'
import { exists } from './exists.mjs'
import { withLock } from './lock.mjs'
import { explainFailure, runQuietly } from './run-quietly.mjs'
import {
  broughtNodeRange,
  isRecent,
  nodePackageFor,
  oldestNode,
  oldestPnpm,
  pnpmVersionIn,
} from './versions.mjs'

/**
 * @typedef {object} Surroundings
 * @property {string} root of the repository
 * @property {(line: string) => void} say
 */

/**
 * @typedef {object} FoundNode
 * @property {string} file its executable
 * @property {string} folder the folder to put in front of the PATH
 * @property {string} version
 */

/**
 * Returns the running Node if it is recent enough, otherwise one from the npm registry.
 *
 * @param {Surroundings} surroundings
 * @returns {Promise<FoundNode>}
 */
export async function findNode({ root, say }) {
  if (isRecent(process.versions.node, oldestNode))
    return { file: process.execPath, folder: path.dirname(process.execPath), version: process.versions.node }
  const home = path.join(root, '.toolchain', `node-${broughtNodeRange}-${process.platform}-${process.arch}`)
  const found = await readBroughtNode(home)
  if (found) return found
  const name = nodePackageFor({ platform: process.platform, arch: process.arch, isMusl: isMusl() })
  const reason = `Node ${process.versions.node} is older than ${oldestNode}`
  await bring({
    home,
    specification: `${name}@${broughtNodeRange}`,
    what: `${reason}: fetching Node ${broughtNodeRange}, about 50 MB`,
    say,
  })
  const brought = await readBroughtNode(home)
  if (!brought)
    throw new BootstrapError(`The package ${name} contains no Node. Delete ${home} and start again.`)
  return brought
}

/** This script decides which pnpm runs, so pnpm need not ask the registry whether it is the pinned version. */
export const withoutPinCheck = { pnpm_config_pm_on_fail: 'ignore' }

/**
 * Finds pnpm on the PATH if it is recent enough, otherwise installs the version in package.json.
 *
 * @param {Surroundings & { node: FoundNode }} surroundings
 * @returns {Promise<{ folder: string | undefined }>} the folder to put on the PATH; undefined if pnpm is there already
 */
export async function findPnpm({ root, say, node }) {
  const { packageManager } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  const version = pnpmVersionIn(packageManager)
  const home = path.join(root, '.toolchain', `pnpm-${version}-${process.platform}-${process.arch}`)
  const brought = await findNativePnpm(home)
  if (brought) return { folder: brought }
  const environment = { ...process.env, ...withoutPinCheck }
  const onPath = await runQuietly({ file: 'pnpm', args: ['--version'], cwd: root, environment })
  if (onPath.isSuccess && isRecent(onPath.output.trim(), oldestPnpm)) return { folder: undefined }
  const what = `pnpm ${oldestPnpm} or newer is not on the PATH of Node ${node.version}: fetching pnpm ${version}, about 30 MB`
  await bring({ home, specification: `pnpm@${version}`, what, say })
  const folder = await findNativePnpm(home)
  if (!folder)
    throw new BootstrapError(`There is no pnpm for this machine in ${home}. Install pnpm ${version} by hand.`)
  return { folder }
}

/**
 * Returns the folder of the executable itself. The `bin` beside it is a script without a shebang until pnpm's install script
 * has run, which it does not here; a shell can run such a script, but other programs cannot.
 *
 * @param {string} home
 */
async function findNativePnpm(home) {
  const scope = path.join(home, 'node_modules/@pnpm')
  const name = (await exists(scope)) && (await readdir(scope)).find((entry) => entry.startsWith('exe.'))
  return name ? path.join(scope, name) : undefined
}

/**
 * Installs into a neighbouring folder and renames it, so that a folder with the final name is always complete, even after an
 * interruption.
 *
 * @param {object} options
 * @param {string} options.home
 * @param {string} options.specification
 * @param {string} options.what
 * @param {(line: string) => void} options.say
 */
function bring({ home, specification, what, say }) {
  return withLock(path.join(path.dirname(home), 'fetch.lock'), async () => {
    // A concurrent start has installed it.
    if (await exists(home)) return
    const startedAtMs = performance.now()
    say(`${what}, once, into .toolchain`)
    const part = `${home}.part`
    await rm(part, { recursive: true, force: true })
    await mkdir(part)
    const flags = [
      '--prefix',
      '.',
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]
    const args = ['install', ...flags, specification]
    const installed = await runQuietly({ file: 'npm', args, cwd: part, environment: process.env })
    if (!installed.isSuccess)
      throw new BootstrapError(explainFailure(`${specification} was not fetched`, installed.output))
    await rename(part, home)
    say(`fetched in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`)
  })
}

/**
 * @param {string} home
 * @returns {Promise<FoundNode | undefined>}
 */
async function readBroughtNode(home) {
  if (!(await exists(home))) return undefined
  const name = nodePackageFor({ platform: process.platform, arch: process.arch, isMusl: false })
  const packageFolder = path.join(home, 'node_modules', name)
  const { version, bin } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8'))
  const file = path.join(packageFolder, bin.node)
  return { file, folder: path.dirname(file), version }
}

function isMusl() {
  if (process.platform !== 'linux') return false
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  return report.header.glibcVersionRuntime === undefined
}
