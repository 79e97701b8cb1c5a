import { type CliCommand, createCommand, parseTag } from '../../create-command.ts'

/** `vaani lexicon get` */
export const lexiconGet: CliCommand = (cli) =>
  createCommand(cli, 'get')
    .description('Show the entries of a language; --json prints what `vaani lexicon set` takes')
    .argument('<language>', 'language of the lexicon, such as en-US', parseTag)
    .action(async (language) => {
      const client = await cli.connect()
      const lexicon = await client.lexicons.retrieve(language, { signal: cli.signal })
      if (cli.output.isJson) return cli.output.resource(lexicon)
      await cli.output.list(lexicon.entries, {
        term: (entry) => entry.term,
        spoken_as: (entry) => entry.spoken_as,
      })
    })
