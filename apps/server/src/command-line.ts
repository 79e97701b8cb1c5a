import { parseArgs } from 'node:util'

export type CommandLine =
  | { command: 'serve' }
  | { command: 'migrate'; isCheck: boolean }
  | { command: 'new-key'; livemode: boolean }

/** Arguments that mean nothing. The message is for the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}

const USAGE = `Without arguments the server starts.

  migrate            bring the database up to date and end; a start does it too
  migrate --check    list what there is to do; ends with 1 if there is something
  --new-key          make a key of the operator's account and print it, whether the server runs or not
  --new-key --live   the same for the live mode; a test key cannot make one
`

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { words, isNewKey, isLive, isCheck } = parse(args)
  if (words.length === 1 && words[0] === 'migrate' && !isNewKey && !isLive)
    return { command: 'migrate', isCheck }
  if (words.length > 0 || isCheck) throw new UsageError(USAGE)
  if (isNewKey) return { command: 'new-key', livemode: isLive }
  if (isLive) throw new UsageError(`--live goes with --new-key.\n\n${USAGE}`)
  return { command: 'serve' }
}

function parse(args: readonly string[]) {
  try {
    const options = {
      'new-key': { type: 'boolean', default: false },
      live: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    } as const
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { words: positionals, isNewKey: values['new-key'], isLive: values.live, isCheck: values.check }
  } catch {
    throw new UsageError(USAGE)
  }
}
