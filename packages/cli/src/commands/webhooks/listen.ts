import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { EVENT_TYPES } from '../../generated/choices.ts'
import { type CliCommand, createCommand, parseHttpUrl, parsePositive } from '../../create-command.ts'
import { listen } from '../../listen/listen.ts'

const DEFAULT_PORT = 4747
/** Below the time that the service waits for a response. */
const DEFAULT_TIMEOUT_SECONDS = 5

/** `vaani webhooks listen` */
export const webhooksListen: CliCommand = (cli) =>
  createCommand(cli, 'listen')
    .description('Receive webhooks until Ctrl-C, and print them or forward them to a program on this machine')
    .option('--forward-to <url>', 'forward them to this URL; default: print them', parseHttpUrl)
    .addOption(
      new Option('--event <type...>', 'only these types of events')
        .choices(EVENT_TYPES)
        .default(EVENT_TYPES, 'all'),
    )
    .option(
      '--public-url <url>',
      'URL by which the service reaches --port, such as that of a tunnel',
      parseHttpUrl,
    )
    .option('--port <port>', 'port to receive on; 0 chooses a free one', parsePort, DEFAULT_PORT)
    .option(
      '--timeout <seconds>',
      'time limit for a response of the program',
      parsePositive,
      DEFAULT_TIMEOUT_SECONDS,
    )
    .addHelpText(
      'after',
      '\nDeliveries are signed again before they are forwarded: with VAANI_WEBHOOK_SECRET, or with a secret that is\nstored on this machine and printed at the start.',
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
