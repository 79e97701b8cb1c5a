import { createReadStream } from 'node:fs'
import { Option } from '@commander-js/extra-typings'
import { printBatch, WAIT_SECONDS } from '../../resources/batch.ts'
import { BATCH_ENDPOINTS, BATCH_WINDOWS } from '../../generated/choices.ts'
import { createCommand, type CliCommand, parseHttpUrl, parsePositive } from '../../create-command.ts'
import { usageError } from '../../failure/cli-error.ts'
import { readText } from '../../files/read-text.ts'
import { parseRequests } from '../../input/parse-requests.ts'

/** The limit of the service. */
const MAX_BYTES = 32 * 1024 * 1024

/** `vaani batch create` */
export const batchCreate: CliCommand = (cli) =>
  createCommand(cli, 'create')
    .description('Send the requests of a file as a batch')
    .argument(
      '<file>',
      'one request per line, as JSON with a custom_id and a body; - reads them from standard input',
    )
    .addOption(
      new Option(
        '--endpoint <path>',
        'endpoint that all requests call, by default the url of the first',
      ).choices(BATCH_ENDPOINTS),
    )
    .addOption(
      new Option('--window <time>', 'time after which the batch fails, if requests are left').choices(
        BATCH_WINDOWS,
      ),
    )
    .option('--callback-url <url>', 'URL that gets a webhook at the end', parseHttpUrl)
    .option('--wait', 'print each status until the batch has ended')
    .option('--timeout <seconds>', 'maximum time to wait', parsePositive, WAIT_SECONDS)
    .action(async (file, { window, callbackUrl, wait, timeout, ...given }) => {
      const { environment, output, signal } = cli
      const input = file === '-' ? environment.stdin : createReadStream(file)
      const requests = parseRequests(await readText(input, { maxBytes: MAX_BYTES, signal }))
      const endpoint = given.endpoint ?? requests[0]?.url
      if (endpoint === undefined) throw usageError('--endpoint is missing, and the first request has no url')
      const client = await cli.connect()
      const batch = await client.batches.create(
        { endpoint, requests, completion_window: window, callback_url: callbackUrl },
        { signal },
      )
      if (wait !== true) return output.resource(batch)
      return printBatch(cli, { client, id: batch.batch_id, first: batch, forSeconds: timeout })
    })
