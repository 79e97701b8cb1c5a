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
      for (const tell of waiting) tell(event)
    },
    waitFor: (matches, { signal } = {}) =>
      new Promise((resolve, reject) => {
        const known = events.find(matches)
        if (known) return resolve(known)
        const stop = (): void => {
          waiting.delete(tell)
          signal?.removeEventListener('abort', abort)
        }
        const abort = (): void => {
          stop()
          reject(signal?.reason)
        }
        const tell = (event: WebhookEvent): void => {
          try {
            if (!matches(event)) return
            resolve(event)
          } catch (error) {
            // The mistake of who waits is neither the receiver's nor that of the others who wait.
            reject(error)
          }
          stop()
        }
        if (signal?.aborted) return abort()
        waiting.add(tell)
        signal?.addEventListener('abort', abort)
      }),
  }
}
