import { type CliCommand, createCommand } from '../../create-command.ts'
import { openSink, STANDARD_OUTPUT } from '../../files/byte-sink.ts'
import { forAllOption } from './for-all-option.ts'

/** `vaani do-not-call export` */
export const doNotCallExport: CliCommand = (cli) =>
  createCommand(cli, 'export')
    .description('Save the list as a CSV file')
    .requiredOption('--out <file>', 'file to write; - is standard output')
    .addOption(forAllOption())
    .action(async ({ out, forAll }) => {
      const { doNotCall } = await cli.connect()
      await using sink = await openSink(cli, out)
      const list = forAll === true ? doNotCall.exportCsvForAll : doNotCall.exportCsv
      let bytes = 0
      for await (const chunk of await list({ signal: cli.signal })) {
        bytes += chunk.length
        await sink.write(chunk)
      }
      await sink.commit()
      if (out !== STANDARD_OUTPUT) await cli.output.resource({ out, bytes })
    })
