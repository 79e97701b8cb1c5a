import type { CreateWebhookEndpointRequest, Vaani } from '@vaani/client'
import { createSigner } from '@vaani/webhook-verifier'
import { usageError } from '../cli-error.ts'
import type { Cli } from '../cli.ts'
import { listenUrl, NotReachableError, openEndpoint } from './endpoint.ts'
import { listenSecret } from './listen-secret.ts'
import { newDeliveries } from './new-deliveries.ts'
import { startReceiver } from './receiver.ts'
import { printRelayed } from './print-relayed.ts'
import { createHandOn, createRelay, type HandOn, type Relay, showEvent } from './relay.ts'

export interface ListenOptions {
  readonly events: CreateWebhookEndpointRequest['events']
  /** The program that gets what is received; undefined to print it instead. */
  readonly forwardTo: string | undefined
  readonly timeoutMs: number
  /** On the loopback interface. */
  readonly port: number
  /** Where the service reaches that port; undefined where it reaches the loopback interface, or not at all. */
  readonly publicUrl: string | undefined
}

/**
 * Receives webhooks and hands them on or prints them, until the signal. If the service does not reach this machine, and is given no
 * way to it, its list of deliveries is read instead.
 */
export async function listen(cli: Cli, options: ListenOptions): Promise<void> {
  const { publicUrl } = options
  const run = { ...options, cli, ...(await handOnFor(cli, options)), client: await cli.connect() }
  try {
    await receiveDeliveries(run)
    await cli.output.note('Stopped; the endpoint is deleted')
  } catch (error) {
    if (!(error instanceof NotReachableError && publicUrl === undefined)) throw error
    await readDeliveries(run)
    await cli.output.note('Stopped')
  }
}

interface Run extends ListenOptions {
  readonly cli: Cli
  readonly client: Vaani
  readonly handOn: HandOn
  /** For the program to verify with, unless it was given by the environment. */
  readonly secret: string | undefined
}

/** @throws CliError for a secret that nothing can be signed with */
async function handOnFor(
  { clock, environment, output, signal }: Cli,
  { forwardTo, timeoutMs }: ListenOptions,
): Promise<Pick<Run, 'handOn' | 'secret'>> {
  if (forwardTo === undefined) return { handOn: showEvent, secret: undefined }
  const given = environment.variables['VAANI_WEBHOOK_SECRET']
  const own = given ? undefined : await listenSecret(environment)
  if (own?.isKept === false) await output.note('The secret is of this run only: it cannot be kept')
  try {
    const signer = createSigner({ secrets: given || own?.secret || '' })
    const options = { forwardTo, signer, timeoutMs, clock, fetch: environment.fetch ?? fetch, signal }
    return { handOn: createHandOn(options), secret: own?.secret }
  } catch (error) {
    throw error instanceof TypeError ? usageError(`VAANI_WEBHOOK_SECRET: ${error.message}`) : error
  }
}

/** At an endpoint of its own, which is deleted at the end. */
async function receiveDeliveries(run: Run): Promise<void> {
  const { cli, client, events, handOn, port, publicUrl } = run
  const { clock, signal } = cli
  const ended = endOf(signal)
  let relay: Relay | undefined
  await using receiver = await startReceiver(port, async (delivery) => {
    // What an earlier run left over comes before the new secret is known: it is sent again.
    if (relay === undefined) return 503
    try {
      const relayed = await relay(delivery)
      await printRelayed(cli, relayed)
      return relayed.type === 'refused' ? 400 : 204
    } catch (error) {
      ended.reject(error)
      throw error
    }
  })
  await using endpoint = await openEndpoint(client, {
    url: listenUrl(publicUrl ?? receiver.url),
    events,
    signal,
  })
  const { endpointId, secret } = endpoint
  relay = createRelay({ secret, handOn, clock })
  await printStart(run, { endpoint_id: endpointId }, `Listening as ${endpointId}`)
  await ended.promise
}

/** As they are made for the account's endpoints, which get them as well. */
async function readDeliveries(run: Run): Promise<void> {
  const { cli, client, events, handOn } = run
  const { signal } = cli
  try {
    // Before it is said, or what comes at once would be taken for old.
    const deliveries = await newDeliveries(client, cli)
    await printStart(
      run,
      { endpoint_id: null },
      'The service does not reach this machine (see --public-url): reading what it delivers to your endpoints',
    )
    for await (const { delivery, body } of deliveries) {
      const { event_id, event_type: type } = delivery
      if (events.includes(type)) await printRelayed(cli, await handOn(Buffer.from(body), { event_id, type }))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function printStart(run: Run, start: { endpoint_id: string | null }, text: string): Promise<void> {
  const { cli, forwardTo, secret } = run
  const target = forwardTo === undefined ? 'printing each event' : `handing on to ${forwardTo}`
  await cli.output.line(
    { type: 'listening', ...start, forward_to: forwardTo ?? null, ...(secret && { secret }) },
    `${text}; ${target}` + (secret ? `\nVerify with the secret ${secret}` : ''),
  )
}

/** Resolves with the signal; rejects where something fails before. */
function endOf(signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', () => resolve(), { once: true })
  // It may fail before it is waited for.
  promise.catch(() => undefined)
  return { promise, reject }
}
