import { Option } from '@commander-js/extra-typings'
import { DELIVERY_STATUSES } from '../../choices.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../list-options.ts'
import { take } from '../../take.ts'

/** `vaani webhooks deliveries` */
export const webhooksDeliveries: CliCommand = (cli) =>
  createCommand(cli, 'deliveries')
    .description('List deliveries, newest first')
    .addOption(new Option('--status <status>', 'only deliveries in this state').choices(DELIVERY_STATUSES))
    .addOption(limitOption())
    .action(async ({ status, limit }) => {
      const client = await cli.connect()
      const query = { status, limit: pageOf(limit) }
      const deliveries = client.webhooks.listDeliveries(query, { signal: cli.signal })
      await cli.output.list(take(deliveries, limit), {
        delivery_id: (delivery) => delivery.delivery_id,
        status: (delivery) => delivery.status,
        event_type: (delivery) => delivery.event_type,
        event_id: (delivery) => delivery.event_id,
        attempts: (delivery) => delivery.attempt_count,
        url: (delivery) => delivery.url,
      })
    })
