import { randomBytes } from 'node:crypto'
import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { EVENT_TYPES } from '../../choices.ts'
import type { Cli } from '../../cli.ts'
import { type CliCommand, createCommand, parseHttpUrl, parsePositive } from '../../create-command.ts'
import { listenUrl, openEndpoint } from '../../listen/endpoint.ts'
import { type Delivery, startReceiver } from '../../listen/receiver.ts'
import { createRelay, type Relayed } from '../../listen/relay.ts'

const DEFAULT_PORT = 4747
/** Below the time that the service waits for an answer. */
const DEFAULT_TIMEOUT_SECONDS = 5
const CLOSE_TIMEOUT_MS = 5000
const SECRET_BYTES = 24

/** `vaani webhooks listen` */
export const webhooksListen: CliCommand = (cli) =>
  createCommand(cli, 'listen')
    .description('Receive webhooks and hand them to a program on this machine, until Ctrl-C')
    .requiredOption('--forward-to <url>', 'where they are handed to', parseHttpUrl)
    .addOption(new Option('--event <type...>', 'only these').choices(EVENT_TYPES).default(EVENT_TYPES, 'all'))
    .option(
      '--public-url <url>',
      'where the service reaches --port, as the address of a tunnel',
      parseHttpUrl,
    )
    .option('--port <port>', 'port to receive on; 0 takes a free one', parsePort, DEFAULT_PORT)
    .option(
      '--timeout <seconds>',
      'how long the program may take to answer',
      parsePositive,
      DEFAULT_TIMEOUT_SECONDS,
    )
    .addHelpText(
      'after',
      '\nWhat is handed on is signed anew, with VAANI_WEBHOOK_SECRET or else a secret that is printed at the start.',
    )
    .action(async ({ forwardTo, event, publicUrl, port, timeout }) => {
      const { clock, environment, output, signal } = cli
      const client = await cli.connect()
      const failed = Promise.withResolvers<never>()
      // It may come before it is waited for.
      failed.promise.catch(() => undefined)
      let relay: ((delivery: Delivery) => Promise<Relayed>) | undefined
      await using receiver = await startReceiver(port, async (delivery) => {
        // What an earlier run left over comes before the new secret is known: it is sent again.
        if (relay === undefined) return 503
        try {
          const relayed = await relay(delivery)
          await print(cli, relayed)
          return relayed.type === 'refused' ? 400 : 204
        } catch (error) {
          if (!signal.aborted) failed.reject(error)
          throw error
        }
      })
      const endpoint = await openEndpoint(client, {
        url: listenUrl(publicUrl ?? receiver.url),
        events: [...event],
        signal,
      })
      try {
        const ownSecret = environment.variables['VAANI_WEBHOOK_SECRET']
        const forwardSecret = ownSecret || `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
        relay = createRelay({
          secret: endpoint.secret,
          forwardTo,
          forwardSecret,
          timeoutMs: timeout * 1000,
          clock,
          fetch: environment.fetch ?? fetch,
          signal,
        })
        const shown = ownSecret ? {} : { secret: forwardSecret }
        await output.line(
          { type: 'listening', endpoint_id: endpoint.endpointId, forward_to: forwardTo, ...shown },
          `Listening as ${endpoint.endpointId}; handing on to ${forwardTo}` +
            (ownSecret ? '' : `\nVerify with the secret ${forwardSecret}`),
        )
        await Promise.race([aborted(signal), failed.promise])
      } finally {
        // Not by the signal, which has ended what there was to end.
        const limit = AbortSignal.timeout(CLOSE_TIMEOUT_MS)
        await client.webhooks.updateEndpoint(endpoint.endpointId, { enabled: false }, { signal: limit })
      }
      await output.note(`Stopped; ${endpoint.endpointId} is disabled`)
    })

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

async function print({ clock, output }: Cli, relayed: Relayed): Promise<void> {
  const time = new Date(clock.nowMs()).toISOString()
  if (relayed.type === 'refused')
    return output.line({ at: time, ...relayed }, `${time}  refused: ${relayed.code}`)
  const { event_type, event_id, status, error, duration_ms } = relayed
  return output.line(
    { at: time, ...relayed },
    `${time}  ${event_type}  ${event_id}  ${status ?? error}  ${duration_ms} ms`,
  )
}

/** @throws InvalidArgumentError */
function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be 0 to 65535.')
  return port
}
