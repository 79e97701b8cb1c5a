import { randomBytes } from 'node:crypto'
import type { CreateWebhookEndpointRequest } from '@vaani/client'
import { createSigner, type Signer } from '@vaani/webhook-verifier'
import { usageError } from '../cli-error.ts'
import type { Cli } from '../cli.ts'
import { listenUrl, openEndpoint } from './endpoint.ts'
import { startReceiver } from './receiver.ts'
import { createRelay, type Relay, type Relayed } from './relay.ts'

const SECRET_BYTES = 24

/** Receives webhooks and hands them on, until the signal; then the endpoint is disabled. */
export async function listen(
  cli: Cli,
  options: {
    readonly events: CreateWebhookEndpointRequest['events']
    readonly forwardTo: string
    readonly timeoutMs: number
    /** On the loopback interface. */
    readonly port: number
    /** Where the service reaches that port; undefined where it reaches the loopback interface. */
    readonly publicUrl: string | undefined
  },
): Promise<void> {
  const { clock, environment, output, signal } = cli
  const { events, forwardTo, timeoutMs, port, publicUrl } = options
  const { signer, newSecret } = signerFor(environment.variables['VAANI_WEBHOOK_SECRET'])
  const client = await cli.connect()
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
  relay = createRelay({
    secret,
    forwardTo,
    signer,
    timeoutMs,
    clock,
    fetch: environment.fetch ?? fetch,
    signal,
  })
  await output.line(
    {
      type: 'listening',
      endpoint_id: endpointId,
      forward_to: forwardTo,
      ...(newSecret && { secret: newSecret }),
    },
    `Listening as ${endpointId}; handing on to ${forwardTo}` +
      (newSecret ? `\nVerify with the secret ${newSecret}` : ''),
  )
  await ended.promise
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
