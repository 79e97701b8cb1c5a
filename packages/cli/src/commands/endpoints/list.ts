import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani endpoints list` */
export const endpointsList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List webhook endpoints, newest first')
    .addOption(limitOption())
    .action(async ({ limit }) => {
      const client = await cli.connect()
      const endpoints = client.webhooks.listEndpoints({ limit: pageOf(limit) }, { signal: cli.signal })
      await cli.output.list(take(endpoints, limit), {
        endpoint_id: (endpoint) => endpoint.endpoint_id,
        state: (endpoint) => (endpoint.enabled ? 'enabled' : `disabled: ${endpoint.disabled_reason}`),
        failing_since: (endpoint) => endpoint.failing_since,
        url: (endpoint) => endpoint.url,
        events: (endpoint) => endpoint.events.join(' '),
      })
    })
