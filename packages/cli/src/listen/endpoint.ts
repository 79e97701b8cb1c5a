import { ApiError, type CreateWebhookEndpointRequest, type Vaani, type WebhookEndpoint } from '@vaani/client'
import { CliError } from '../failure/cli-error.ts'

/** Ends the URL of every endpoint that `webhooks listen` creates, so that it never takes over any other endpoint. */
const PATH = '/vaani-listen'
const CLOSE_TIMEOUT_MS = 5000

export const listenUrl = (base: string): string => base.replace(/\/+$/, '') + PATH

export const isListening = ({ enabled, url }: WebhookEndpoint): boolean => enabled && url.endsWith(PATH)

/** By default, the service sends only to public https addresses. */
export class NotReachableError extends CliError {
  constructor(url: string, options: ErrorOptions) {
    super(
      `the service does not send to ${url}: set --public-url to the https address of a tunnel to this machine, ` +
        'or start your own server with VAANI_CALLBACK_ALLOW_CIDRS=127.0.0.0/8',
      { family: 'rejected', code: 'not_reachable', ...options },
    )
  }
}

/** An endpoint that is deleted at the end of its run. */
export interface ListenEndpoint extends AsyncDisposable {
  readonly endpointId: string
  /** Signs its deliveries. */
  readonly secret: string
}

/**
 * Creates an endpoint. If a run on the same URL was killed before it could delete its endpoint, takes that one over with a
 * new secret: its pending deliveries arrive, and no endpoint is left behind.
 *
 * @throws NotReachableError if the service would not send there
 */
export async function openEndpoint(
  { webhooks }: Vaani,
  options: {
    readonly url: string
    readonly events: CreateWebhookEndpointRequest['events']
    readonly signal: AbortSignal
  },
): Promise<ListenEndpoint> {
  const { url, events, signal } = options
  const held = (endpointId: string, secret: string): ListenEndpoint => ({
    endpointId,
    secret,
    async [Symbol.asyncDispose]() {
      // Not with the signal of the run, which has already been aborted.
      const limit = AbortSignal.timeout(CLOSE_TIMEOUT_MS)
      await webhooks.deleteEndpoint(endpointId, { signal: limit }).catch((error: unknown) => {
        if (!ApiError.isInstance(error, 'webhooks.deleteEndpoint') || error.code !== 'not_found') throw error
      })
    },
  })
  for await (const endpoint of webhooks.listEndpoints({ limit: 100 }, { signal })) {
    if (endpoint.url !== url) continue
    const endpointId = endpoint.endpoint_id
    const { secret } = await webhooks.rotateSecret(endpointId, { overlap_hours: 0 }, { signal })
    await webhooks.updateEndpoint(endpointId, { events, enabled: true }, { signal })
    return held(endpointId, secret)
  }
  try {
    const { endpoint_id, secret } = await webhooks.createEndpoint({ url, events }, { signal })
    return held(endpoint_id, secret)
  } catch (cause) {
    if (!ApiError.isInstance(cause, 'webhooks.createEndpoint') || cause.param !== 'url') throw cause
    throw new NotReachableError(url, { cause })
  }
}
