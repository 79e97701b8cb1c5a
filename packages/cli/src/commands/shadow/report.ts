import { usageError } from '../../failure/cli-error.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { openSink, STANDARD_OUTPUT } from '../../files/byte-sink.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'

/** `vaani shadow report` */
export const shadowReport: CliCommand = (cli) =>
  createCommand(cli, 'report')
    .description('Save the report as one HTML file, or print it with --json')
    .option('--out <file>', 'HTML file to write; - is standard output')
    .action(async ({ out }) => {
      const { output, signal } = cli
      if (out === undefined && !output.isJson)
        throw usageError('name an HTML file with --out, or print JSON with --json')
      const client = await connectMigration(cli)
      if (out === undefined) return output.resource(await client.report({ signal }))
      await using sink = await openSink(cli, out)
      const page = new TextEncoder().encode(await client.reportPage({ signal }))
      await sink.write(page)
      await sink.commit()
      if (out !== STANDARD_OUTPUT) await output.resource({ out, bytes: page.length })
    })
