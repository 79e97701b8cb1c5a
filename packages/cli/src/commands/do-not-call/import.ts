import { createReadStream } from 'node:fs'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { readWhole } from '../../files/read-text.ts'
import { forAllOption } from './for-all-option.ts'

/** The limit of the service. */
const MAX_BYTES = 1024 * 1024

/** `vaani do-not-call import` */
export const doNotCallImport: CliCommand = (cli) =>
  createCommand(cli, 'import')
    .description('Put the numbers of a CSV file on the list, and print which of its lines were refused')
    .argument(
      '<file>',
      'CSV with a column of numbers, as a spreadsheet saves it, of up to 10,000 lines; - reads standard input',
    )
    .option('--reason <text>', 'why those are not to be called whose line gives no reason')
    .addOption(forAllOption())
    .action(async (file, { reason, forAll }) => {
      const { environment, output, signal } = cli
      const input = file === '-' ? environment.stdin : createReadStream(file)
      const csv = await readWhole(input, { maxBytes: MAX_BYTES, signal })
      const { doNotCall } = await cli.connect()
      const send = forAll === true ? doNotCall.importCsvForAll : doNotCall.importCsv
      const imported = await send({ csv, reason }, { signal })
      const { errors, ...counts } = imported
      await output.resource(imported, counts)
      if (!output.isJson)
        for (const { line, problem } of errors) await output.note(`line ${line}: ${problem}`)
    })
