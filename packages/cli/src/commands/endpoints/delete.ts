import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani endpoints delete` */
export const endpointsDelete: CliCommand = (cli) =>
  createCommand(cli, 'delete')
    .description('Delete a webhook endpoint and its secret; its pending deliveries are dropped')
    .argument('<endpoint_id>', 'id of the endpoint', parseId)
    .action(async (endpointId) => {
      const client = await cli.connect()
      await client.webhooks.deleteEndpoint(endpointId, { signal: cli.signal })
      await cli.output.resource({ endpoint_id: endpointId, deleted: true })
    })
