import { fileURLToPath } from 'node:url'

import { BootstrapError } from './errors.mjs'

const cliMain = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

/**
 * @typedef {object} Command
 * @property {string} [file] what to run; Node itself when absent
 * @property {string[]} args
 * @property {boolean} needsPnpm whether pnpm must be on its PATH
 * @property {boolean} [endsWithUs] whether it ends when this process does, however this process ends
 * @property {boolean} [listens] whether it is the server itself, which needs its port
 * @property {boolean} [runsInPlace] whether it runs in the caller's folder, because its arguments name files there
 */

/** @type {Record<string, (rest: string[]) => Command>} */
const commands = {
  start: (rest) => ({
    args: ['--conditions=vaani-source', 'apps/server/src/main.ts', ...withoutSeparator(rest)],
    needsPnpm: false,
    endsWithUs: true,
    // With arguments it is one of the server's commands.
    listens: withoutSeparator(rest).length === 0,
  }),
  shadow: (rest) => ({
    args: ['--conditions=vaani-source', 'apps/kyc-shadow-worker/src/main.ts', ...withoutSeparator(rest)],
    needsPnpm: false,
    endsWithUs: true,
  }),
  test: (rest) => ({
    args: [
      '--conditions=vaani-source',
      'node_modules/vitest/vitest.mjs',
      'run',
      ...chooseTests(withoutSeparator(rest)),
    ],
    needsPnpm: false,
  }),
  vaani: (rest) => ({
    args: ['--conditions=vaani-source', cliMain, ...rest],
    needsPnpm: false,
    runsInPlace: true,
  }),
  exec: (rest) => {
    const [file, ...args] = withoutSeparator(rest)
    if (file === undefined) throw new BootstrapError('exec needs a command, for example: exec pnpm check')
    return { file, args, needsPnpm: true }
  },
}

/**
 * Drops a separating `--` in front of the arguments: npm removes it, pnpm passes it on.
 *
 * @param {string[]} words
 */
const withoutSeparator = (words) => (words[0] === '--' ? words.slice(1) : words)

/**
 * Leaves out the tests of minutes, unless projects are named.
 *
 * @param {string[]} words
 */
const chooseTests = (words) =>
  words.some((word) => word.startsWith('--project')) ? words : ['--project=!long', ...words]

/**
 * Parses the words after `run.mjs` into a command to run.
 *
 * @param {string[]} words
 * @returns {Command}
 */
export function readCommand([name = '', ...rest]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    throw new BootstrapError(`the first argument must be one of: ${Object.keys(commands).join(', ')}`)
  return command(rest)
}
