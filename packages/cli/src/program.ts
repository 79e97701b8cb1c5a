import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import manifest from '../package.json' with { type: 'json' }
import type { Cli } from './cli.ts'
import { complete } from './commands/complete.ts'
import { type CliCommand, createCommand } from './create-command.ts'
import { EXIT_CODES } from './failure/exit-codes.ts'

/** Creates the program with all commands. */
export function createProgram(cli: Cli, commands: readonly CliCommand[]): CommandUnknownOpts {
  const program = createCommand(cli, 'vaani')
    .description('Calls, speech, identity verification and webhooks of Vaani from the command line.')
    .version(manifest.version)
    .option('--json', 'print one JSON value per line, and errors as JSON on standard error')
    .option('--profile <name>', 'use the key and address of this profile; `vaani profiles` lists them')
    .helpCommand(true)
    .addHelpText(
      'after',
      `\nExit codes: ${Object.entries(EXIT_CODES)
        .map(([family, code]) => `${code} ${family}`)
        .join(', ')}`,
    )
  for (const command of commands) program.addCommand(command(cli))
  program.addCommand(complete(cli), { hidden: true })
  return program
}

/** Returns the value of `--profile`, once the command line is parsed. */
export function profileOf(program: CommandUnknownOpts): string | undefined {
  const profile: unknown = program.getOptionValue('profile')
  return typeof profile === 'string' ? profile : undefined
}
