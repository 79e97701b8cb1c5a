import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import type { CliEnvironment } from './cli-environment.ts'
import { createCli } from './cli.ts'
import { builtInCommands } from './commands/index.ts'
import type { CliCommand } from './create-command.ts'
import { EXIT_CODES } from './failure/exit-codes.ts'
import { describeFailure } from './failure/failure.ts'
import { cellText } from './output/text.ts'
import { createProgram, profileOf } from './program.ts'

/** Codes with which commander exits after it has shown help or the version. */
const SHOWN: readonly string[] = ['commander.helpDisplayed', 'commander.version', 'commander.help']

/**
 * Runs one command line.
 *
 * @param commandLine arguments without the name of the program
 * @param commands available commands; default: `builtInCommands`
 * @returns the exit code, one of `EXIT_CODES`; never rejects
 * @example
 * const code = await runCli(['call', 'list', '--json'], environment)
 */
export async function runCli(
  commandLine: readonly string[],
  environment: CliEnvironment,
  commands: readonly CliCommand[] = builtInCommands,
): Promise<number> {
  const operandsAt = commandLine.indexOf('--')
  const options = operandsAt === -1 ? commandLine : commandLine.slice(0, operandsAt)
  let program: CommandUnknownOpts | undefined
  const cli = createCli(environment, {
    // Determined before parsing, because it also applies to the report of a parse error.
    isJson: options.includes('--json'),
    profile: () => program && profileOf(program),
  })
  try {
    program = createProgram(cli, commands)
    await program.parseAsync(commandLine, { from: 'user' })
    return EXIT_CODES.ok
  } catch (error) {
    if (isUnread(environment.signal)) return EXIT_CODES.ok
    if (error instanceof CommanderError && SHOWN.includes(error.code))
      return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage
    const { family, ...failure } = describeFailure(error)
    const exit_code = EXIT_CODES[environment.signal.aborted ? 'interrupted' : family]
    const details = (failure.details ?? [])
      .map(({ param, message }) => `${cellText(param ?? '')}: ${cellText(message)}`)
      // The server's message is often that of its first detail.
      .filter((detail) => !failure.message.includes(detail))
    await cli.output.problem(
      { error: { ...failure, exit_code } },
      [`vaani: ${failure.message}`, ...details].join('\n  '),
    )
    return exit_code
  }
}

/** Returns whether the reader of the output is gone, as after `head`: nobody can see a message, and it is no error. */
const isUnread = ({ reason }: AbortSignal): boolean =>
  reason instanceof Error && 'code' in reason && reason.code === 'EPIPE'
