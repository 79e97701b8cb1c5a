import { candidatesFor } from '../completion/candidates.ts'
import { type CliCommand, createCommand } from '../create-command.ts'

/** `vaani complete`: called by the scripts of `vaani completion`; prints one word and its description per line. */
export const complete: CliCommand = (cli) =>
  createCommand(cli, 'complete')
    .description('Print the possible next words of a command line')
    .argument('[words...]')
    .action(async (words, _options, command) => {
      const { output } = cli
      for (const candidate of candidatesFor(command.parent ?? command, words))
        await output.line(candidate, `${candidate.word}\t${candidate.description}`)
    })
