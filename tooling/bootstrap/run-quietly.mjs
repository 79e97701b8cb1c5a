import { spawn } from 'node:child_process'
import process from 'node:process'

/**
 * Runs a program from the PATH and collects its output, to be shown only if it fails.
 *
 * @param {object} options
 * @param {string} options.file
 * @param {string[]} options.args without spaces: on Windows they pass through a shell, because `npm` is a script there
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.environment
 * @returns {Promise<{ isSuccess: boolean, output: string }>}
 */
export function runQuietly({ file, args, cwd, environment }) {
  return new Promise((resolve) => {
    const shell = process.platform === 'win32'
    const child = spawn(file, args, { cwd, env: environment, shell, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    child.on('error', (error) => resolve({ isSuccess: false, output: error.message }))
    child.on('close', (code) => resolve({ isSuccess: code === 0, output }))
  })
}

const networkFailure =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|dns error|error sending request/i

/**
 * @param {string} what the step that failed, as the start of a sentence
 * @param {string} output the program's output
 * @returns {string} the message for the user
 */
export function explainFailure(what, output) {
  const tail = output.trim().split('\n').slice(-15).join('\n')
  const reason = networkFailure.test(output)
    ? 'the npm registry could not be reached; check the network, or the proxy and registry in ~/.npmrc'
    : 'the program failed'
  return `${what}: ${reason}. Its output:\n${tail}`
}
