import { parseArgs } from 'node:util'

export type CommandLine = { command: 'serve' } | { command: 'new-key'; livemode: boolean }

/** Arguments that mean nothing. The message is for the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}

const USAGE = `Without arguments the server starts.

  --new-key          make a key of the operator's account and print it, whether the server runs or not
  --new-key --live   the same for the live mode; a test key cannot make one
`

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { 'new-key': isNewKey, live } = parse(args)
  if (isNewKey) return { command: 'new-key', livemode: live }
  if (live) throw new UsageError(`--live goes with --new-key.\n\n${USAGE}`)
  return { command: 'serve' }
}

function parse(args: readonly string[]): { 'new-key': boolean; live: boolean } {
  try {
    const options = {
      'new-key': { type: 'boolean', default: false },
      live: { type: 'boolean', default: false },
    } as const
    return parseArgs({ args: [...args], options }).values
  } catch {
    throw new UsageError(USAGE)
  }
}
