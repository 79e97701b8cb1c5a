import { candidatesFor } from '../completion/candidates.ts'
import { type CliCommand, createCommand } from '../create-command.ts'

/** `vaani complete`: what the scripts of `vaani completion` ask; a word and its meaning a line. */
export const complete: CliCommand = (cli) =>
  createCommand(cli, 'complete')
    .description('Print what may come next on a command line')
    .argument('[words...]')
    .action(async (words, _options, command) => {
      const { output } = cli
      for (const candidate of candidatesFor(command.parent ?? command, words))
        await output.line(candidate, `${candidate.word}\t${candidate.description}`)
    })
