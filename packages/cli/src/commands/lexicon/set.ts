import { createReadStream } from 'node:fs'
import { type CliCommand, createCommand, parseTag } from '../../create-command.ts'
import { readText } from '../../files/read-text.ts'
import { parseLexicon } from '../../input/parse-lexicon.ts'

/** The limit of the service. */
const MAX_BYTES = 1024 * 1024

/** `vaani lexicon set` */
export const lexiconSet: CliCommand = (cli) =>
  createCommand(cli, 'set')
    .description('Replace all entries of a language')
    .argument('<language>', 'language of the terms, such as en-US, or en for all its regions', parseTag)
    .argument(
      '<file>',
      'JSON: [{"term": "KYC", "spoken_as": "know your customer"}], or what `vaani lexicon get --json` printed, ' +
        'which fails if the lexicon has changed since; - reads standard input',
    )
    .action(async (language, file) => {
      const { environment, signal } = cli
      const input = file === '-' ? environment.stdin : createReadStream(file)
      const request = parseLexicon(await readText(input, { maxBytes: MAX_BYTES, signal }))
      const client = await cli.connect()
      const { entries, ...saved } = await client.lexicons.replace(language, request, { signal })
      await cli.output.resource({ ...saved, entry_count: entries.length })
    })
