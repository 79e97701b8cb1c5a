import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani endpoints get` */
export const endpointsGet: CliCommand = (cli) =>
  createCommand(cli, 'get')
    .description('Read a webhook endpoint, without its secret')
    .argument('<endpoint_id>', 'id of the endpoint', parseId)
    .action(async (endpointId) => {
      const client = await cli.connect()
      await cli.output.resource(await client.webhooks.retrieveEndpoint(endpointId, { signal: cli.signal }))
    })
