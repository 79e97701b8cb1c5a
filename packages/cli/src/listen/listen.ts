import { randomBytes } from 'node:crypto'
import type { CreateWebhookEndpointRequest, Vaani } from '@vaani/client'
import { createSigner, type Signer } from '@vaani/webhook-verifier'
import { usageError } from '../cli-error.ts'
import type { Cli } from '../cli.ts'
import { listenUrl, NotReachableError, openEndpoint } from './endpoint.ts'
import { newDeliveries } from './new-deliveries.ts'
import { startReceiver } from './receiver.ts'
import { createHandOn, createRelay, type HandOn, type Relay, type Relayed } from './relay.ts'

const SECRET_BYTES = 24

export interface ListenOptions {
  readonly events: CreateWebhookEndpointRequest['events']
  readonly forwardTo: string
  readonly timeoutMs: number
  /** On the loopback interface. */
  readonly port: number
  /** Where the service reaches that port; undefined where it reaches the loopback interface, or not at all. */
  readonly publicUrl: string | undefined
}

/**
 * Receives webhooks and hands them on, until the signal. Where the service does not reach this machine, and is given no way to it,
 * its list of deliveries is read instead.
 */
export async function listen(cli: Cli, options: ListenOptions): Promise<void> {
  const { clock, environment, signal } = cli
  const { forwardTo, timeoutMs, publicUrl } = options
  const { signer, newSecret } = signerFor(environment.variables['VAANI_WEBHOOK_SECRET'])
  const client = await cli.connect()
  const handOn = createHandOn({
    forwardTo,
    signer,
    timeoutMs,
    clock,
    fetch: environment.fetch ?? fetch,
    signal,
  })
  const run = { ...options, cli, client, handOn, newSecret }
  try {
    await receiveDeliveries(run)
  } catch (error) {
    if (!(error instanceof NotReachableError && publicUrl === undefined)) throw error
    await readDeliveries(run)
  }
}

interface Run extends ListenOptions {
  readonly cli: Cli
  readonly client: Vaani
  readonly handOn: HandOn
  readonly newSecret: string | undefined
}

/** At an endpoint of its own, which is disabled at the end. */
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
      await print(cli, relayed)
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
      if (events.includes(type)) await print(cli, await handOn(Buffer.from(body), { event_id, type }))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function printStart(run: Run, start: { endpoint_id: string | null }, text: string): Promise<void> {
  const { cli, forwardTo, newSecret } = run
  await cli.output.line(
    { type: 'listening', ...start, forward_to: forwardTo, ...(newSecret && { secret: newSecret }) },
    `${text}; handing on to ${forwardTo}` + (newSecret ? `\nVerify with the secret ${newSecret}` : ''),
  )
}

/** The secret is told where it is new. @throws CliError for one that nothing can be signed with */
function signerFor(ownSecret: string | undefined): { signer: Signer; newSecret: string | undefined } {
  const newSecret = ownSecret ? undefined : `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  try {
    return { signer: createSigner({ secrets: newSecret ?? ownSecret ?? '' }), newSecret }
  } catch (error) {
    throw error instanceof TypeError ? usageError(`VAANI_WEBHOOK_SECRET: ${error.message}`) : error
  }
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

async function print({ clock, output }: Cli, relayed: Relayed): Promise<void> {
  const at = new Date(clock.nowMs()).toISOString()
  if (relayed.type === 'refused') return output.line({ at, ...relayed }, `${at}  refused: ${relayed.code}`)
  const { event_type, event_id, status, error, duration_ms } = relayed
  const text = [at, event_type, event_id, status ?? error, `${duration_ms} ms`].join('  ')
  return output.line({ at, ...relayed }, text)
}
