import { type Clock, type Vaani, VaaniError, type WebhookDelivery } from '@vaani/client'
import { sleep } from '../clock.ts'

const POLL_MS = 2000
const PAGE = 100
/** Deliveries remembered as known; if more arrive between two polls, the older ones are missed. */
const REMEMBERED = 1000

export interface NewDelivery {
  readonly delivery: WebhookDelivery
  readonly body: string
}

/**
 * Yields the deliveries that appear in the service's list after the promise has resolved, each event once although it may go
 * to several endpoints. Keeps polling through retryable errors; ends with the signal's reason.
 */
export async function newDeliveries(
  { webhooks }: Vaani,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<AsyncGenerator<NewDelivery, void, undefined>> {
  const known = new Set<string>()
  function isNew(id: string): boolean {
    if (known.has(id)) return false
    known.add(id)
    // A set iterates in insertion order.
    for (const oldest of known) {
      if (known.size <= 2 * REMEMBERED) break
      known.delete(oldest)
    }
    return true
  }

  /** Returns new deliveries, newest first, back to a page without new ones: ids of the same moment may be out of order. */
  async function look(): Promise<WebhookDelivery[]> {
    const found: WebhookDelivery[] = []
    let newOfPage = 0
    let seen = 0
    for await (const delivery of webhooks.listDeliveries({ limit: PAGE }, { signal })) {
      if (isNew(delivery.delivery_id)) {
        found.push(delivery)
        newOfPage += 1
      }
      seen += 1
      if (seen % PAGE !== 0) continue
      if (newOfPage === 0 || seen >= REMEMBERED) break
      newOfPage = 0
    }
    return found
  }

  async function* follow(): AsyncGenerator<NewDelivery, void, undefined> {
    for (;;) {
      await sleep({ delayMs: POLL_MS, clock, signal })
      const found = await look().catch((error: unknown) => {
        if (!VaaniError.isInstance(error) || !error.retryable) throw error
        return []
      })
      for (const delivery of found.toReversed()) {
        if (!isNew(delivery.event_id)) continue
        const { body } = await webhooks.retrieveDelivery(delivery.delivery_id, { signal })
        if (body !== null) yield { delivery, body }
      }
    }
  }

  for (const { event_id } of await look()) known.add(event_id)
  return follow()
}
