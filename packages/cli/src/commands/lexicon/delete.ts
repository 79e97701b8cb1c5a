import { type CliCommand, createCommand, parseTag } from '../../create-command.ts'

/** `vaani lexicon delete` */
export const lexiconDelete: CliCommand = (cli) =>
  createCommand(cli, 'delete')
    .description('Delete all entries of a language')
    .argument('<language>', 'language of the lexicon, such as en-US', parseTag)
    .action(async (language) => {
      const client = await cli.connect()
      await client.lexicons.remove(language, { signal: cli.signal })
      await cli.output.resource({ language, deleted: true })
    })
