import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { EVENT_TYPES } from '../../choices.ts'
import { type CliCommand, createCommand, parseHttpUrl, parsePositive } from '../../create-command.ts'
import { listen } from '../../listen/listen.ts'

const DEFAULT_PORT = 4747
/** Below the time that the service waits for an answer. */
const DEFAULT_TIMEOUT_SECONDS = 5

/** `vaani webhooks listen` */
export const webhooksListen: CliCommand = (cli) =>
  createCommand(cli, 'listen')
    .description('Receive webhooks, and print them or hand them to a program on this machine, until Ctrl-C')
    .option('--forward-to <url>', 'hand them on to this address; default: print them', parseHttpUrl)
    .addOption(new Option('--event <type...>', 'only these').choices(EVENT_TYPES).default(EVENT_TYPES, 'all'))
    .option(
      '--public-url <url>',
      'where the service reaches --port, such as the address of a tunnel',
      parseHttpUrl,
    )
    .option('--port <port>', 'port to receive on; 0 takes a free one', parsePort, DEFAULT_PORT)
    .option('--timeout <seconds>', 'for an answer of the program', parsePositive, DEFAULT_TIMEOUT_SECONDS)
    .addHelpText(
      'after',
      '\nDeliveries are signed anew before they are handed on: with VAANI_WEBHOOK_SECRET, or with a secret that is\nkept on this machine and printed at the start.',
    )
    .action(async ({ event, timeout, forwardTo, publicUrl, port }) => {
      await listen(cli, { events: [...event], timeoutMs: timeout * 1000, forwardTo, publicUrl, port })
    })

/** @throws InvalidArgumentError */
function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be 0 to 65535.')
  return port
}
