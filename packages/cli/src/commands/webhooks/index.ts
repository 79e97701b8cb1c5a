import { type CliCommand, createGroup } from '../../create-command.ts'
import { webhooksDeliveries } from './deliveries.ts'
import { webhooksListen } from './listen.ts'
import { webhooksResend } from './resend.ts'
import { webhooksTrigger } from './trigger.ts'

/** `vaani webhooks` */
export const webhooks: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'webhooks',
    description: 'Receive webhooks on this machine, test and resend them',
    commands: [webhooksListen, webhooksTrigger, webhooksDeliveries, webhooksResend],
  })
