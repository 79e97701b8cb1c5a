import { parseArgs } from 'node:util'

/** Options of `voices add`. */
const VOICE_OPTIONS = ['from', 'url', 'sha256', 'family', 'languages', 'speakers'] as const
type VoiceOptions = { [Name in (typeof VOICE_OPTIONS)[number]]?: string | undefined }

export type CommandLine =
  | { command: 'serve' }
  | { command: 'help' }
  | { command: 'version' }
  | { command: 'migrate'; isCheck: boolean }
  | { command: 'reseal'; isDryRun: boolean; rowsPerSecond: number }
  | { command: 'restored'; holdsWebhooks: boolean }
  | { command: 'new-key'; livemode: boolean }
  | { command: 'check-lines'; name: string | undefined; number: string | undefined; isTraced: boolean }
  | { command: 'list-voices' }
  | { command: 'add-voice'; name: string; voice: VoiceOptions }

/** Invalid arguments. The message is the text to print. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}

/** Rows that a second may seal anew, unless the command says otherwise. */
const ROWS_PER_SECOND = 1000

export const USAGE = `Usage: vaani-server [COMMAND]    (npx @vaani/server, or npm start -- in a clone)

Without a command, the server starts.

  migrate            migrate the database and exit; a normal start migrates too
  migrate --check    list pending migrations; exits with 1 if there are any
  reseal             seal everything with the first key of VAANI_ENCRYPTION_KEY, so that the others can be removed
  reseal --dry-run   count what the other keys still seal; exits with 1 if there is anything
  reseal --rows-per-second ${ROWS_PER_SECOND}
                     seal at most that many rows in a second
  restored           run once on a restored database, before any worker: calls that may have been dialled since
                     the backup are not dialled again
  restored --hold-webhooks
                     also end as dead the webhooks that may have been delivered since; they can be resent
  lines check        ask the trunk of each phone line whether it takes calls; exits with 1 if one does not
  lines check NAME --call NUMBER
                     also call a number, and say what is heard of it; an echo service shows both directions
  lines check NAME --call NUMBER --trace
                     also print each SIP message and the packets of each second, without names, numbers and secrets
  voices list        list the neural voices that can be added, with their sizes and licences
  voices add NAME    download one of them, check it, let it speak once and add it to the file of the speech engines
  voices add NAME --from FILE
                     take its archive from a file instead
  voices add NAME --url URL --sha256 HEX --family vits --languages ne-NP
                     add another archive for sherpa-onnx, of the family vits, kokoro or kitten, also with --from;
                     --speakers 0,5 are the numbers of nova and atlas
  --new-key          create a test key of the operator's account and print it, whether the server runs or not
  --new-key --live   create a live key instead; a test key cannot create one
  --help             print this text
  --version          print the version
`

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { words, options } = parse(args)
  const given = Object.keys(options)
  const allows = (...names: (keyof typeof options)[]) =>
    given.every((name) => names.some((one) => one === name))
  if (options.help) return { command: 'help' }
  if (options.version && words.length === 0 && allows('version')) return { command: 'version' }
  if (words[0] === 'voices') return readVoices(words.slice(1), { options, allows })
  if (words[0] === 'lines') return readLines(words.slice(1), { options, allows })
  if (words.length > 1) throw new UsageError(USAGE)
  if (words[0] === 'migrate' && allows('check'))
    return { command: 'migrate', isCheck: options.check === true }
  if (words[0] === 'reseal' && allows('dry-run', 'rows-per-second'))
    return {
      command: 'reseal',
      isDryRun: options['dry-run'] === true,
      rowsPerSecond: readRate(options['rows-per-second']),
    }
  if (words[0] === 'restored' && allows('hold-webhooks'))
    return { command: 'restored', holdsWebhooks: options['hold-webhooks'] === true }
  if (words.length > 0 || !allows('new-key', 'live')) throw new UsageError(USAGE)
  if (options['new-key']) return { command: 'new-key', livemode: options.live === true }
  if (options.live) throw new UsageError(`--live requires --new-key.\n\n${USAGE}`)
  return { command: 'serve' }
}

function readLines(
  [action, name, ...more]: readonly string[],
  {
    options: { call, trace = false },
    allows,
  }: {
    options: { call?: string | undefined; trace?: boolean | undefined }
    allows: (...names: ('call' | 'trace')[]) => boolean
  },
): CommandLine {
  const isComplete = call === undefined ? !trace : name !== undefined && /^\+[1-9]\d{6,14}$/.test(call)
  if (action !== 'check' || more.length > 0 || !allows('call', 'trace') || !isComplete)
    throw new UsageError(USAGE)
  return { command: 'check-lines', name, number: call, isTraced: trace }
}

function readVoices(
  [action, name, ...more]: readonly string[],
  { options, allows }: { options: VoiceOptions; allows: (...names: (keyof VoiceOptions)[]) => boolean },
): CommandLine {
  if (action === 'list' && name === undefined && allows()) return { command: 'list-voices' }
  const isAdding = action === 'add' && name !== undefined && more.length === 0
  if (!isAdding || !allows(...VOICE_OPTIONS)) throw new UsageError(USAGE)
  const { from, url, sha256, family, languages, speakers } = options
  return { command: 'add-voice', name, voice: { from, url, sha256, family, languages, speakers } }
}

function parse(args: readonly string[]) {
  try {
    const options = {
      'new-key': { type: 'boolean' },
      live: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
      check: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      'hold-webhooks': { type: 'boolean' },
      'rows-per-second': { type: 'string' },
      call: { type: 'string' },
      trace: { type: 'boolean' },
      from: { type: 'string' },
      url: { type: 'string' },
      sha256: { type: 'string' },
      family: { type: 'string' },
      languages: { type: 'string' },
      speakers: { type: 'string' },
    } as const
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { words: positionals, options: values }
  } catch {
    throw new UsageError(USAGE)
  }
}

function readRate(text = String(ROWS_PER_SECOND)): number {
  const rate = Number(text)
  if (Number.isSafeInteger(rate) && rate > 0) return rate
  throw new UsageError(`--rows-per-second must be a whole number above 0.\n\n${USAGE}`)
}
