import type { CreateWebhookEndpointRequest, Vaani } from '@vaani/client'
import { createSigner } from '@vaani/webhook-verifier'
import { usageError } from '../failure/cli-error.ts'
import type { Cli } from '../cli.ts'
import { listenUrl, NotReachableError, openEndpoint } from './endpoint.ts'
import { listenSecret } from './listen-secret.ts'
import { newDeliveries } from './new-deliveries.ts'
import { startReceiver } from './receiver.ts'
import { printRelayed } from './print-relayed.ts'
import { createHandOn, createRelay, type HandOn, type Relay, showEvent } from './relay.ts'

export interface ListenOptions {
  readonly events: CreateWebhookEndpointRequest['events']
  /** URL of the program that gets the deliveries; undefined prints them instead. */
  readonly forwardTo: string | undefined
  readonly timeoutMs: number
  /** Port on the loopback interface. */
  readonly port: number
  /** URL by which the service reaches that port; undefined if it reaches the loopback interface, or not at all. */
  readonly publicUrl: string | undefined
}

/**
 * Receives webhooks and forwards or prints them, until the signal is aborted. If the service cannot reach this machine and
 * there is no public URL, polls its list of deliveries instead.
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
  /** Secret for the program to verify with, unless the environment sets it. */
  readonly secret: string | undefined
}

/** @throws CliError if the secret cannot be used for signing */
async function handOnFor(
  { clock, environment, output, signal }: Cli,
  { forwardTo, timeoutMs }: ListenOptions,
): Promise<Pick<Run, 'handOn' | 'secret'>> {
  if (forwardTo === undefined) return { handOn: showEvent, secret: undefined }
  const given = environment.variables['VAANI_WEBHOOK_SECRET']
  const own = given ? undefined : await listenSecret(environment)
  if (own?.isKept === false) await output.note('The secret cannot be stored: it is valid for this run only')
  try {
    const signer = createSigner({ secrets: given || own?.secret || '' })
    const options = { forwardTo, signer, timeoutMs, clock, fetch: environment.fetch ?? fetch, signal }
    return { handOn: createHandOn(options), secret: own?.secret }
  } catch (error) {
    throw error instanceof TypeError ? usageError(`VAANI_WEBHOOK_SECRET: ${error.message}`) : error
  }
}

/** Receives deliveries at a separate endpoint, which is deleted at the end. */
async function receiveDeliveries(run: Run): Promise<void> {
  const { cli, client, events, handOn, port, publicUrl } = run
  const { clock, signal } = cli
  const ended = endOf(signal)
  let relay: Relay | undefined
  await using receiver = await startReceiver(port, async (delivery) => {
    // Deliveries left over from an earlier run may arrive before the new secret is known; the service retries them.
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

/** Reads the deliveries to the account's endpoints, which get them as well. */
async function readDeliveries(run: Run): Promise<void> {
  const { cli, client, events, handOn } = run
  const { signal } = cli
  try {
    // Before the message, or a delivery right after it would be taken for an old one.
    const deliveries = await newDeliveries(client, cli)
    await printStart(
      run,
      { endpoint_id: null },
      'The service cannot reach this machine (see --public-url): reading its deliveries to your endpoints',
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
  const target = forwardTo === undefined ? 'printing each event' : `forwarding to ${forwardTo}`
  await cli.output.line(
    { type: 'listening', ...start, forward_to: forwardTo ?? null, ...(secret && { secret }) },
    `${text}; ${target}` + (secret ? `\nVerify with the secret ${secret}` : ''),
  )
}

/** Returns a promise that resolves when the signal is aborted, and a function that rejects it first. */
function endOf(signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', () => resolve(), { once: true })
  // It may reject before it is awaited.
  promise.catch(() => undefined)
  return { promise, reject }
}
