import { Argument } from '@commander-js/extra-typings'
import { COMPLETION_SCRIPTS } from '../completion/scripts.ts'
import { type CliCommand, createCommand } from '../create-command.ts'

/** `vaani completion` */
export const completion: CliCommand = (cli) =>
  createCommand(cli, 'completion')
    .description('Print a script for tab completion: source <(vaani completion bash)')
    .addArgument(new Argument('<shell>', 'shell that will load the script').choices(['bash', 'zsh', 'fish']))
    .action(async (shell) => {
      const script = COMPLETION_SCRIPTS[shell]
      await cli.output.line({ script }, script.trimEnd())
    })
