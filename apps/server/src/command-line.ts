import { parseArgs } from 'node:util'

export type CommandLine =
  | { command: 'serve' }
  | { command: 'migrate'; isCheck: boolean }
  | { command: 'new-key'; livemode: boolean }

/** Invalid arguments. The message is the text to print. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}

const USAGE = `Without arguments the server starts.

  migrate            migrate the database and exit; a normal start migrates too
  migrate --check    list pending migrations; exits with 1 if there are any
  --new-key          create a test key of the operator's account and print it, whether the server runs or not
  --new-key --live   create a live key instead; a test key cannot create one
`

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { words, isNewKey, isLive, isCheck } = parse(args)
  if (words.length === 1 && words[0] === 'migrate' && !isNewKey && !isLive)
    return { command: 'migrate', isCheck }
  if (words.length > 0 || isCheck) throw new UsageError(USAGE)
  if (isNewKey) return { command: 'new-key', livemode: isLive }
  if (isLive) throw new UsageError(`--live requires --new-key.\n\n${USAGE}`)
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
