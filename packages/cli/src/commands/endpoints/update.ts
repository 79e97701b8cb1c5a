import { Option } from '@commander-js/extra-typings'
import { EVENT_TYPES } from '../../generated/choices.ts'
import { usageError } from '../../failure/cli-error.ts'
import { type CliCommand, createCommand, parseHttpUrl, parseId } from '../../create-command.ts'

/** `vaani endpoints update` */
export const endpointsUpdate: CliCommand = (cli) =>
  createCommand(cli, 'update')
    .description('Change, disable or enable a webhook endpoint')
    .argument('<endpoint_id>', 'id of the endpoint', parseId)
    .option('--url <url>', 'new URL for the deliveries', parseHttpUrl)
    .addOption(
      new Option('--event <type...>', 'only these types of events, replacing the current ones').choices(
        EVENT_TYPES,
      ),
    )
    .addOption(new Option('--enable', 'resume deliveries').conflicts('disable'))
    .option('--disable', 'stop deliveries; pending ones wait')
    .action(async (endpointId, { url, event: events, enable, disable }) => {
      const changes = { url, events, ...(enable && { enabled: true }), ...(disable && { enabled: false }) }
      if (Object.values(changes).every((change) => change === undefined))
        throw usageError('nothing to change: use --url, --event, --enable or --disable')
      const client = await cli.connect()
      const { signal } = cli
      await cli.output.resource(await client.webhooks.updateEndpoint(endpointId, changes, { signal }))
    })
