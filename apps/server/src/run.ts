import { isatty } from 'node:tty'
import { phraseOf } from '@vaani/contracts'
import { EmbeddedPostgresError } from '@vaani/service-kit/database/embedded/embedded-postgres-error'
import { LaterSchemaError, MigrationRightsError } from '@vaani/service-kit/database/migrate'
import { DatabaseAwayError } from '@vaani/service-kit/database/wait-for-database'
import { waitForEndOfParent } from '@vaani/service-kit/lifecycle/parent-pipe'
import { startStopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import { listenForStopSignals } from '@vaani/service-kit/lifecycle/stop-signals'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { createLogger, type Logger } from '@vaani/service-kit/telemetry/log'
import { surviveLostOutput } from '@vaani/service-kit/telemetry/survive-lost-output'
import { z } from 'zod'
import type { CommandLine } from './command-line.ts'
import { type Config, features } from './features.ts'
import { AddVoiceError } from './features/speech/add-voice/add-voice-error.ts'
import { describeVoices } from './features/speech/describe-voices.ts'
import { prepareLanguages } from './features/speech/prepare-languages.ts'
import { printMigrations } from './print-migrations.ts'
import { printNewKey } from './print-new-key.ts'
import { printReseal } from './print-reseal.ts'
import { printRestored } from './print-restored.ts'
import { startServer } from './server.ts'
import { startText } from './welcome.ts'

/** Errors whose message is sufficient for an operator, so no stack is printed. */
const EXPLAINED = [DatabaseAwayError, EmbeddedPostgresError, LaterSchemaError, MigrationRightsError]

/** What needs the settings. */
export type Command = Exclude<CommandLine, { command: 'help' | 'version' }>

/** Runs the command until it ends. Reports its failure and sets the exit code. */
export async function run(commandLine: Command): Promise<void> {
  // An uncaught error must not leave a process that half works: it exits, and its supervisor restarts it.
  surviveLostOutput()
  try {
    await runCommand(commandLine)
  } catch (error) {
    process.stderr.write(describe(error))
    process.exitCode = 1
  }
}

async function runCommand(commandLine: Command): Promise<void> {
  // For libraries that validate files of the operator.
  z.config({ customError: phraseOf })
  const config = features.settings.read(process.env)
  if (commandLine.command === 'new-key') return printNewKey(config, commandLine.livemode)
  const log = createLogger(config.logLevel)
  const signals = listenForStopSignals()
  const asked = Promise.race([signals.first, waitForEndOfParent()])
  const starting = new AbortController()
  void asked.then(() => starting.abort())
  if (commandLine.command !== 'serve') {
    if (!(await runTask(commandLine, config, starting.signal))) process.exitCode = 1
    return
  }

  const traces = await openTraces(config, log)
  const isWatched = isOutputWatched(config)
  const server = await startServer({
    config,
    log,
    signal: starting.signal,
    showsFirstKey: isWatched && config.roles.has('api'),
    tracer: traces?.tracer,
  }).catch((error: unknown) => {
    if (starting.signal.aborted) return null
    throw error
  })
  if (server === null) return
  const { address, context } = server
  if (address !== null && isWatched) {
    context.console.prepare()
    process.stdout.write(
      startText({
        address,
        firstKey: context.admin.firstKey,
        isKeyGiven: config.bootstrapApiKey !== undefined,
        consoleLink: await context.console.createLink(),
        voices: describeVoices(context.speech.engine),
      }),
    )
  }

  if (context.speech.isWarm) void prepareLanguages()

  const reason = await Promise.race([asked, server.failed])
  using deadline = startStopDeadline(config.shutdownGraceMs)
  signals.onSecond(() => deadline.hurry())
  if (reason instanceof Error) log.fatal({ error: reason }, 'Stopping because the server cannot continue')
  else log.info({ signal: reason }, 'Stopping')
  await server.stop(deadline)
  await traces?.stop(deadline)
  if (reason instanceof Error) throw reason
}

/** A command that ends by itself. */
type Task = Exclude<Command, { command: 'serve' | 'new-key' }>

/** Runs a task. @returns whether nothing is left to do */
async function runTask(task: Task, config: Config, signal: AbortSignal): Promise<boolean> {
  switch (task.command) {
    case 'migrate':
      return printMigrations(config, { isCheck: task.isCheck, signal })
    case 'reseal':
      return printReseal(config, { ...task, signal, print })
    case 'restored':
      await printRestored(config, { ...task, signal, print })
      return true
    case 'check-lines': {
      // With the user agent, which most servers do not need.
      const { printLines } = await import('./print-lines.ts')
      return printLines(config, { ...task, signal, print })
    }
    case 'list-voices':
    case 'add-voice': {
      // With what unpacks archives, which no server needs.
      const { printAddedVoice, printVoices } = await import('./print-voices.ts')
      if (task.command === 'list-voices') await printVoices(config, print)
      else await printAddedVoice(config, { ...task, signal, print })
      return true
    }
  }
}

const print = (text: string): void => void process.stdout.write(text)

/**
 * Whether a person reads the standard output: at a terminal, or of a server that keeps everything on its own machine. Otherwise it
 * is collected and kept, and must not contain keys.
 */
const isOutputWatched = ({ databaseUrl }: Config): boolean =>
  databaseUrl === undefined || isatty(process.stdout.fd)

/** Loads the tracing library before the server, but only if the standard variables enable traces. */
async function openTraces({ traces: settings }: Config, log: Logger) {
  if (settings === null) return null
  const { startTraces } = await import('@vaani/service-kit/telemetry/start-traces')
  return startTraces({ settings, log })
}

function describe(error: unknown): string {
  if (error instanceof AddVoiceError) return `${error.message}\n`
  if (error instanceof ConfigError) return `The configuration is wrong: ${error.message}\n`
  if (!(error instanceof Error)) return 'The server could not run\n'
  const stack = EXPLAINED.some((explained) => error instanceof explained) ? '' : `${error.stack ?? ''}\n`
  return `The server could not run: ${error.message}\n${stack}`
}
