import { Option } from '@commander-js/extra-typings'
import { DELIVERY_STATUSES, EVENT_TYPES } from '../../generated/choices.ts'
import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani webhooks deliveries` */
export const webhooksDeliveries: CliCommand = (cli) =>
  createCommand(cli, 'deliveries')
    .description('List deliveries, newest first')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(DELIVERY_STATUSES))
    .option('--endpoint <endpoint_id>', 'only deliveries to this endpoint', parseId)
    .option('--event-id <event_id>', 'only deliveries of the event with this webhook-id', parseId)
    .addOption(new Option('--event <type>', 'only deliveries of events of this type').choices(EVENT_TYPES))
    .option('--object <id>', 'only deliveries about this call, verification or endpoint', parseId)
    .option('--since <time>', 'only deliveries created at this time or later')
    .option('--until <time>', 'only deliveries created before this time')
    .addOption(limitOption())
    .action(async ({ status, endpoint, eventId, event, object, since, until, limit }) => {
      const client = await cli.connect()
      const query = {
        status,
        endpoint_id: endpoint,
        event_id: eventId,
        event_type: event,
        object_id: object,
        created_after: since,
        created_before: until,
        limit: pageOf(limit),
      }
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
