import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { BootstrapError } from './errors.mjs'
import { exists } from './exists.mjs'
import { explainFailure, runQuietly } from './run-quietly.mjs'

/** Inside node_modules, so that it is deleted with them. */
const markerFile = 'node_modules/.vaani-installed'

/**
 * Hashes every input that affects the result of `pnpm install`.
 *
 * @param {object} options
 * @param {string} options.root of the repository
 * @param {string} options.nodeVersion
 * @returns {Promise<string>}
 */
export async function dependencyFingerprint({ root, nodeVersion }) {
  const hash = createHash('sha256').update(nodeVersion)
  for (const file of await listInputs(root)) {
    const content = await readFile(path.join(root, file))
    hash.update(`\n${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** @param {{ root: string, fingerprint: string }} options */
export async function areDependenciesCurrent({ root, fingerprint }) {
  const file = path.join(root, markerFile)
  return (await exists(file)) && (await readFile(file, 'utf8')) === fingerprint
}

/**
 * @param {object} options
 * @param {string} options.root
 * @param {NodeJS.ProcessEnv} options.environment
 * @param {string} options.fingerprint stored once the install has succeeded
 * @param {(line: string) => void} options.say
 */
export async function installDependencies({ root, environment, fingerprint, say }) {
  const startedAtMs = performance.now()
  say('installing the dependencies in pnpm-lock.yaml, now and whenever they change')
  const args = ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false']
  const installed = await runQuietly({ file: 'pnpm', args, cwd: root, environment })
  if (!installed.isSuccess)
    throw new BootstrapError(explainFailure('The dependencies were not installed', installed.output))
  await writeFile(path.join(root, markerFile), fingerprint)
  say(`installed in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`)
}

/** @param {string} root */
async function listInputs(root) {
  const workspaces = parseWorkspacePatterns(await readFile(path.join(root, 'pnpm-workspace.yaml'), 'utf8'))
  const manifests = []
  for (const pattern of workspaces)
    for (const name of await listFolder(path.join(root, pattern)))
      manifests.push(`${pattern}/${name}/package.json`)
  const patches = (await listFolder(path.join(root, 'patches'))).map((name) => `patches/${name}`)
  const candidates = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests, ...patches]
  const present = await Promise.all(candidates.map((file) => exists(path.join(root, file))))
  return candidates.filter((_, index) => present[index])
}

/** @param {string} folder */
async function listFolder(folder) {
  return (await exists(folder)) ? (await readdir(folder)).sort() : []
}

/**
 * Returns the folders in `packages:` of pnpm-workspace.yaml. No YAML parser is available before the install, so this
 * one understands only the form in use and refuses others.
 *
 * @param {string} text
 * @returns {string[]} such as `['packages', 'apps']`
 */
export function parseWorkspacePatterns(text) {
  const block = /^packages:\n((?:[ ]+- .*\n)+)/m.exec(text)?.[1]
  if (!block) throw new BootstrapError('pnpm-workspace.yaml has no `packages` list')
  return block
    .trim()
    .split('\n')
    .map((line) => {
      const folder = /^\s*- ['"]?([\w-]+)\/\*['"]?$/.exec(line)?.[1]
      if (!folder)
        throw new BootstrapError(`pnpm-workspace.yaml: only entries like "apps/*" are supported, not ${line}`)
      return folder
    })
}
