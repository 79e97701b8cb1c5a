import { spawn } from 'node:child_process'
import os from 'node:os'
import process from 'node:process'

import { BootstrapError } from './errors.mjs'

/**
 * Runs a program in the foreground and passes SIGINT and SIGTERM on, once each.
 *
 * @param {object} options
 * @param {string} options.file
 * @param {string[]} options.args
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.environment
 * @returns {Promise<number>} its exit code; 128 + n when signal n ended it, as shells have it
 */
export function runToEnd({ file, args, cwd, environment }) {
  return new Promise((resolve, reject) => {
    const shell = process.platform === 'win32' && !file.endsWith('.exe')
    const child = spawn(file, args, { cwd, env: environment, stdio: 'inherit', shell })
    const stopPassing = passSignalsOn(child)
    child.on('error', (error) => {
      stopPassing()
      reject(new BootstrapError(`${file} could not be run: ${error.message}`))
    })
    child.on('exit', (code, signal) => {
      stopPassing()
      resolve(code ?? 128 + (signal ? os.constants.signals[signal] : 0))
    })
  })
}

/** @param {import('node:child_process').ChildProcess} child */
function passSignalsOn(child) {
  const passed = new Set()
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    // A terminal sends Ctrl-C to every process in the foreground: the child has it already.
    if (passed.has(signal) || (signal === 'SIGINT' && process.stdin.isTTY)) return
    passed.add(signal)
    child.kill(signal)
  }
  process.on('SIGINT', pass).on('SIGTERM', pass)
  return () => void process.off('SIGINT', pass).off('SIGTERM', pass)
}
