import { type CliCommand, createCommand } from '../../create-command.ts'

/** `vaani lexicon list`, or `vaani lexicon` */
export const lexiconList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List the languages that have a lexicon')
    .action(async () => {
      const client = await cli.connect()
      const { data } = await client.lexicons.list({ signal: cli.signal })
      await cli.output.list(data, {
        language: (one) => one.language,
        entries: (one) => one.entry_count,
        updated_at: (one) => one.updated_at,
        version: (one) => one.version,
      })
    })
