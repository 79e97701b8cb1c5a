import { Argument } from '@commander-js/extra-typings'
import type { Vaani } from '@vaani/client'
import { EVENT_TYPES } from '../../generated/choices.ts'
import { usageError } from '../../failure/cli-error.ts'
import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { isListening } from '../../listen/endpoint.ts'

/** `vaani webhooks trigger` */
export const webhooksTrigger: CliCommand = (cli) =>
  createCommand(cli, 'trigger')
    .description('Send a test event with made-up data')
    .addArgument(new Argument('<event_type>', 'type of the event').choices(EVENT_TYPES))
    .option(
      '--endpoint <endpoint_id>',
      'endpoint to send to; default: the one of `vaani webhooks listen`',
      parseId,
    )
    .action(async (type, { endpoint }) => {
      const { output, signal } = cli
      const client = await cli.connect()
      const endpointId = endpoint ?? (await findListening(client, signal))
      await output.resource(await client.webhooks.sendTestEvent(endpointId, { type }, { signal }))
    })

async function findListening({ webhooks }: Vaani, signal: AbortSignal): Promise<string> {
  for await (const endpoint of webhooks.listEndpoints({ limit: 100 }, { signal }))
    if (isListening(endpoint)) return endpoint.endpoint_id
  throw usageError('no endpoint is listening: run `vaani webhooks listen`, or name one with --endpoint')
}
