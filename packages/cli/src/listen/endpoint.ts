import { ApiError, type CreateWebhookEndpointRequest, type Vaani, type WebhookEndpoint } from '@vaani/client'
import { CliError } from '../cli-error.ts'

/** At the end of the URL of every endpoint that `webhooks listen` makes, so that it never takes over another. */
const PATH = '/vaani-listen'
const CLOSE_TIMEOUT_MS = 5000

export const listenUrl = (base: string): string => base.replace(/\/+$/, '') + PATH

export const isListening = ({ enabled, url }: WebhookEndpoint): boolean => enabled && url.endsWith(PATH)

/** The service sends to public https addresses only, unless it is told otherwise. */
export class NotReachableError extends CliError {
  constructor(url: string, options: ErrorOptions) {
    super(
      `the service sends nothing to ${url}: give --public-url with the https address of a tunnel to this machine, ` +
        'or start a server of your own with VAANI_CALLBACK_ALLOW_CIDRS=127.0.0.0/8',
      { family: 'rejected', code: 'not_reachable', ...options },
    )
  }
}

/** Deleted at the end of its run. */
export interface ListenEndpoint extends AsyncDisposable {
  readonly endpointId: string
  /** What its deliveries are signed with. */
  readonly secret: string
}

/**
 * Creates an endpoint. If a run on the same URL was killed before it could delete its own, takes that one over, with a new
 * secret: its pending deliveries arrive, and nothing is left over.
 *
 * @throws NotReachableError where the service would not send there
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
      // Not by the signal of the run, which has ended it.
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
