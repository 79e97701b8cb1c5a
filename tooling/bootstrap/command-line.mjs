import { BootstrapError } from './errors.mjs'

/**
 * @typedef {object} Command
 * @property {string} [file] what to run; Node itself when absent
 * @property {string[]} args
 * @property {boolean} needsPnpm whether pnpm must be on its PATH
 * @property {boolean} [endsWithUs] whether it ends when this process does, however that ends
 */

/** @type {Record<string, (rest: string[]) => Command>} */
const commands = {
  start: (rest) => ({
    args: ['--conditions=source', 'apps/server/src/main.ts', ...rest],
    needsPnpm: false,
    endsWithUs: true,
  }),
  test: (rest) => ({
    args: ['--conditions=source', 'node_modules/vitest/vitest.mjs', 'run', ...rest],
    needsPnpm: false,
  }),
  exec: ([file, ...args]) => {
    if (file === undefined) throw new BootstrapError('exec needs a command, for example: exec pnpm check')
    return { file, args, needsPnpm: true }
  },
}

/**
 * Turns the words after `run.mjs` into what is to be run. pnpm hands a separating `--` on where npm removes it,
 * so one in front of the arguments is dropped.
 *
 * @param {string[]} words
 * @returns {Command}
 */
export function readCommand([name = '', ...rest]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new BootstrapError(`the first argument is one of: ${Object.keys(commands).join(', ')}`)
  return command(rest[0] === '--' ? rest.slice(1) : rest)
}
