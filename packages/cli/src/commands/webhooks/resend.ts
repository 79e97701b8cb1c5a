import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani webhooks resend` */
export const webhooksResend: CliCommand = (cli) =>
  createCommand(cli, 'resend')
    .description('Resend a delivery, with the same event id')
    .argument('<delivery_id>', 'id of the delivery; `vaani webhooks deliveries` lists them', parseId)
    .action(async (deliveryId) => {
      const client = await cli.connect()
      await cli.output.resource(await client.webhooks.resend(deliveryId, { signal: cli.signal }))
    })
