/**
 * `pnpm check:paste`: pastes every block of the README into a shell, in order, like a newcomer, and expects the documented output.
 * Pastes those of guides while its server still runs, and those of others that start their own. Then does the same for the server's
 * README and the guides of operators, like an operator with a Postgres. Needs the ports in those blocks, curl, openssl and ffmpeg.
 * Skips `npm test`, and blocks whose page says why they are not pasted.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import {
  PASTED,
  PASTED_ALONE,
  PASTED_BY_OPERATORS,
  PASTED_GUIDES,
  PASTED_SERVERS,
  PASTED_WITHOUT_SERVERS,
} from './pasted.ts'
import { type Block, readBlocks } from './read-blocks.ts'

/** For a hang. The rehearsal of a migration alone may take its two minutes, and the start of its servers. */
const LIMIT_MS = 300_000
const root = path.resolve(import.meta.dirname, '../../..')
const folder = await mkdtemp(path.join(tmpdir(), 'vaani-readme-'))

/** What readers of guides and of the READMEs of programs have installed, here of this clone. */
const INSTALLED: Block = {
  text: `
vaani() { "${root}/vaani" "$@"; }
npx() {
  case "$1" in
    @vaani/server) shift; npm --prefix "${root}" start -- "$@" ;;
    @vaani/kyc-shadow-worker) shift; npm --prefix "${root}" run shadow -- "$@" ;;
    *) false ;;
  esac
}
`,
  prints: undefined,
  notPasted: undefined,
}

/** Opens a shell, like the reader's terminal. */
function openTerminal(variables: Readonly<Record<string, string>> = {}) {
  const child = spawn('bash', ['--noprofile', '--norc', '-e'], {
    cwd: root,
    env: { ...process.env, VAANI_DATA_DIR: path.join(folder, 'data'), ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
    // In its own process group, so that its children end with it.
    detached: true,
  })
  let printed = ''
  const listeners = new Set<() => void>()
  const grow = (data: Buffer) => {
    printed += String(data)
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', grow)
  child.stderr.on('data', grow)
  const exit = once(child, 'exit')
  // Once all that it started has ended as well.
  const closed = once(child, 'close')
  async function close(): Promise<void> {
    endGroup(child)
    await closed
  }

  return {
    paste: (text: string) => void child.stdin.write(text),
    /** Resolves once the terminal shows the text; returns it with the rest of its line. */
    async waitFor(text: string, from = 0): Promise<string> {
      const shown = Promise.withResolvers<string>()
      const look = () => {
        const at = printed.indexOf(text, from)
        const end = printed.indexOf('\n', at)
        if (at >= 0 && end >= 0) shown.resolve(printed.slice(at, end))
      }
      listeners.add(look)
      look()
      const limit = AbortSignal.timeout(LIMIT_MS)
      limit.addEventListener('abort', () =>
        shown.reject(new Error(`This was not printed in time: ${text}\n${printed}`)),
      )
      void exit.then(() => shown.reject(new Error(`The shell ended:\n${printed}`)))
      return await shown.promise.finally(() => listeners.delete(look))
    },
    length: () => printed.length,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Ends the shell, if it has not ended itself at a command that failed, and what it started. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}

/** Printed by the shell after each pasted block. */
const DONE = 'the-block-is-done'

async function pasteInto(
  terminal: ReturnType<typeof openTerminal>,
  { text, prints }: Pick<Block, 'text' | 'prints'>,
): Promise<void> {
  const from = terminal.length()
  terminal.paste(`${text}\necho ${DONE}\n`)
  await terminal.waitFor(DONE, from)
  if (prints !== undefined) await terminal.waitFor(prints, from)
}

const firstLineOf = ({ text }: Block): string | undefined => text.trim().split('\n', 1)[0]
const report = (block: Block): void => console.log(`ok     ${firstLineOf(block)}`)

/** Returns the blocks to paste, and reports the others. */
async function blocksOf(file: string): Promise<Block[]> {
  const blocks = readBlocks(await readFile(path.join(root, file), 'utf8'))
  return blocks.filter((block) => {
    if (block.notPasted !== undefined) console.log(`left   ${firstLineOf(block)} (${block.notPasted})`)
    return block.notPasted === undefined
  })
}

async function pasteGuides(
  terminal: ReturnType<typeof openTerminal>,
  guides: readonly string[],
): Promise<void> {
  await pasteInto(terminal, INSTALLED)
  for (const guide of guides)
    for (const block of await blocksOf(guide)) {
      await pasteInto(terminal, block)
      report(block)
    }
}

async function pasteAsNewcomer(file: string): Promise<void> {
  const readers = openTerminal()
  let server: ReturnType<typeof openTerminal> | undefined
  try {
    for (const block of await blocksOf(file)) {
      const lines = block.text.trim()
      if (lines === 'npm test') continue
      if (lines.endsWith('npm start')) {
        await server?.close()
        server = openTerminal()
        server.paste(block.text)
        await server.waitFor('Vaani is running')
        // The key is printed only at the first start.
        if (lines === 'npm start') {
          const key = await server.waitFor('export KEY=')
          await pasteInto(readers, { text: key, prints: undefined })
        }
      } else await pasteInto(readers, block)
      report(block)
    }
    await pasteInto(readers, { text: `cd ${folder}`, prints: undefined })
    await pasteGuides(readers, PASTED_GUIDES)
  } finally {
    await Promise.all([readers.close(), server?.close()])
  }
}

async function pasteAsOperator(
  file: string,
  guides: { beside?: readonly string[]; afterwards?: readonly string[] } = {},
): Promise<void> {
  const { beside = [], afterwards = [] } = guides
  const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres') })
  const { user, host, database } = postgres.connection
  const open = () =>
    openTerminal({
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
      VAANI_DATA_DIR: path.join(folder, 'operators-data'),
    })
  const operators = open()
  try {
    await pasteInto(operators, INSTALLED)
    for (const block of await blocksOf(file)) {
      await pasteInto(operators, block)
      report(block)
    }
    await pasteGuides(operators, beside)
    await operators.close()
    await using later = open()
    await pasteGuides(later, afterwards)
  } finally {
    await operators.close()
    await postgres.stop()
  }
}

async function pasteServers(file: string): Promise<void> {
  for (const block of await blocksOf(file)) {
    const terminal = openTerminal()
    try {
      await pasteInto(terminal, INSTALLED)
      terminal.paste(block.text)
      await terminal.waitFor('Vaani is running')
      report(block)
    } finally {
      await terminal.close()
    }
  }
}

async function pasteAlone(file: string): Promise<void> {
  const terminal = openTerminal()
  try {
    for (const block of await blocksOf(file)) {
      await pasteInto(terminal, block)
      report(block)
    }
  } finally {
    await terminal.close()
  }
}

const [newcomers = '', servers = '', ...operators] = PASTED
try {
  await pasteAsNewcomer(newcomers)
  for (const file of PASTED_ALONE) await pasteAlone(file)
  for (const file of PASTED_SERVERS) await pasteServers(file)
  await pasteAsOperator(servers, { beside: PASTED_BY_OPERATORS, afterwards: PASTED_WITHOUT_SERVERS })
  for (const file of operators) await pasteAsOperator(file)
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
