import { spawn } from 'node:child_process'
import os from 'node:os'
import process from 'node:process'

import { BootstrapError } from './errors.mjs'
import { watchPackageManager } from './watch-package-manager.mjs'

/** Variable with the pipe that closes when this process ends; `packages/service-kit/src/lifecycle/parent-pipe.ts` reads it. */
const parentPipe = { variable: 'VAANI_PARENT_PIPE', descriptor: 3 }

/**
 * Runs a program in the foreground and forwards SIGINT, SIGTERM and SIGHUP to it, once each.
 *
 * @param {object} options
 * @param {string} options.file
 * @param {string[]} options.args
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.environment
 * @param {boolean} [options.endsWithUs] whether the program reads the pipe, and ends when this process does
 * @returns {Promise<number>} its exit code; 128 + n if signal n ended it, like in shells
 */
export function runToEnd({ file, args, cwd, environment, endsWithUs = false }) {
  return new Promise((resolve, reject) => {
    const shell = process.platform === 'win32' && !file.endsWith('.exe')
    const child = endsWithUs
      ? spawn(file, args, {
          cwd,
          env: { ...environment, [parentPipe.variable]: String(parentPipe.descriptor) },
          stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
        })
      : spawn(file, args, { cwd, env: environment, stdio: 'inherit', shell })
    const stopPassing = passSignalsOn(child)
    const stopWatching = watchPackageManager(environment, () => {
      if (endsWithUs) child.stdio[parentPipe.descriptor]?.destroy()
      else child.kill('SIGTERM')
    })
    const settle = () => {
      stopPassing()
      stopWatching()
    }
    child.on('error', (error) => {
      settle()
      reject(new BootstrapError(`${file} could not be run: ${error.message}`))
    })
    child.on('exit', (code, signal) => {
      settle()
      resolve(code ?? 128 + (signal ? os.constants.signals[signal] : 0))
    })
  })
}

/** @param {import('node:child_process').ChildProcess} child */
function passSignalsOn(child) {
  const passed = new Set()
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    // A terminal sends Ctrl-C to every foreground process, so the child has received it already.
    if (passed.has(signal) || (signal === 'SIGINT' && process.stdin.isTTY)) return
    passed.add(signal)
    child.kill(signal)
  }
  process.on('SIGINT', pass).on('SIGTERM', pass).on('SIGHUP', pass)
  return () => void process.off('SIGINT', pass).off('SIGTERM', pass).off('SIGHUP', pass)
}
