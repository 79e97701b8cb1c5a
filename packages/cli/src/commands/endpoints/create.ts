import { Option } from '@commander-js/extra-typings'
import { EVENT_TYPES } from '../../generated/choices.ts'
import { type CliCommand, createCommand, parseHttpUrl } from '../../create-command.ts'

/** `vaani endpoints create` */
export const endpointsCreate: CliCommand = (cli) =>
  createCommand(cli, 'create')
    .description('Create a webhook endpoint; its secret is printed once, on standard output')
    .argument('<url>', 'URL that receives the deliveries', parseHttpUrl)
    .addOption(
      new Option('--event <type...>', 'only these types of events')
        .choices(EVENT_TYPES)
        .default(EVENT_TYPES, 'all'),
    )
    .action(async (url, { event }) => {
      const client = await cli.connect()
      const request = { url, events: [...event] }
      await cli.output.resource(await client.webhooks.createEndpoint(request, { signal: cli.signal }))
      await cli.output.note('Store the secret now: it is not shown again.')
    })
