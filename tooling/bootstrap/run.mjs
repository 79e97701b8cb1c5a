/**
 * Entry of `npm start`, `npm run shadow`, `npm test` and `./vaani` on Node 18 or newer: installs Node 24, pnpm and the dependencies if they are
 * missing, then runs the command with them. Plain JavaScript that imports no packages, because it runs
 * before any are installed.
 */
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

import { readCommand } from './command-line.mjs'
import { areDependenciesCurrent, dependencyFingerprint, installDependencies } from './dependencies.mjs'
import { BootstrapError } from './errors.mjs'
import { requireFreePort } from './free-port.mjs'
import { withLock } from './lock.mjs'
import { runToEnd } from './run-to-end.mjs'
import { findNode, findPnpm, withoutPinCheck } from './toolchain.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** @param {string} line */
const say = (line) => void process.stderr.write(`vaani: ${line}\n`)

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error
  say(error.message)
  process.exitCode = 1
}

/** @param {string[]} words */
async function main(words) {
  const command = readCommand(words)
  if (command.listens) await requireFreePort(process.env)
  const node = await findNode({ root, say })
  const fingerprint = await dependencyFingerprint({ root, nodeVersion: node.version })
  const isCurrent = await areDependenciesCurrent({ root, fingerprint })
  const pnpm = command.needsPnpm || !isCurrent ? await findPnpm({ root, say, node }) : undefined
  const folders = [node.folder, pnpm?.folder, path.join(root, 'node_modules/.bin')]
  const environment = environmentWith(folders.filter((folder) => folder !== undefined))

  // A concurrent start may have done the work while this one waited for the lock.
  if (!isCurrent)
    await withLock(path.join(root, '.toolchain/install.lock'), async () => {
      if (await areDependenciesCurrent({ root, fingerprint })) return
      await installDependencies({ root, environment, fingerprint, say })
    })

  return runToEnd({
    file: command.file ?? node.file,
    args: command.args,
    cwd: command.runsInPlace ? process.cwd() : root,
    environment,
    endsWithUs: command.endsWithUs ?? false,
  })
}

/** @param {string[]} folders */
function environmentWith(folders) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  return {
    ...process.env,
    ...withoutPinCheck,
    [key]: [...folders, process.env[key] ?? ''].join(path.delimiter),
  }
}
