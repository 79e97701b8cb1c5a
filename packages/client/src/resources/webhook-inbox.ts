import { whenAborted } from '../transport/when-aborted.ts'
import type { WebhookEvent, WebhookInbox } from './wait.ts'

/** An inbox in memory, which the receiver of the webhooks fills. */
export interface MemoryInbox extends WebhookInbox {
  receive(event: WebhookEvent): void
}

/**
 * Keeps the latest events, so that one that comes before it is waited for is not missed.
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
            // A mistake of this caller, neither of the receiver nor of the others who wait.
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
