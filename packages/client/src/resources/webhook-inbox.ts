import { whenAborted } from '../transport/when-aborted.ts'
import type { WebhookEvent, WebhookInbox } from './wait.ts'

/** In-memory inbox that the webhook receiver fills. */
export interface MemoryInbox extends WebhookInbox {
  receive(event: WebhookEvent): void
}

/**
 * Creates an in-memory inbox that keeps the latest events, so that one that arrives before the wait starts is not missed.
 *
 * @example
 * const inbox = createWebhookInbox()
 * app.post('/webhooks', expressReceiver({ verifier, onEvent: inbox.receive }))
 * const verification = await vaani.identity.waitForDecision(id, { inbox })
 */
export function createWebhookInbox({ maximumEvents = 1000 } = {}): MemoryInbox {
  const events: WebhookEvent[] = []
  const waiting = new Set<(event: WebhookEvent) => void>()
  return {
    receive(event) {
      events.push(event)
      if (events.length > maximumEvents) events.shift()
      for (const receive of waiting) receive(event)
    },
    waitFor: (matches, { signal } = {}) =>
      new Promise((resolve, reject) => {
        const known = events.find(matches)
        if (known) return resolve(known)
        const receive = (event: WebhookEvent): void => {
          try {
            if (!matches(event)) return
            resolve(event)
          } catch (error) {
            // Reject only the caller whose matcher threw, not the receiver or the other waits.
            reject(error)
          }
          waiting.delete(receive)
          stopWatching()
        }
        waiting.add(receive)
        const stopWatching = whenAborted(signal, () => {
          waiting.delete(receive)
          reject(signal?.reason)
        })
      }),
  }
}
