import { setTimeout as delay } from 'node:timers/promises'
import { Vaani } from '@vaani/client'
import { drawPicture } from '../sandbox/draw-picture.ts'
import type { Server } from './find-program.ts'

/** Of ten people, those whose document is expired. */
const EXPIRED = new Set([1, 4, 6, 9])
const OF = 10
/** More wait, as callers of a slow machine do. */
const MAX_UNDER_WAY = 4

/** Callers that submit all the time. */
export interface Traffic {
  /** Submissions so far, and how many of them failed. */
  readonly counts: { sent: number; answered: number; failed: number }
  /** Submits once and returns the id. */
  submit(): Promise<string>
  /** Stops, and waits for what is under way. */
  stop(): Promise<void>
}

/** Starts callers that know nothing of the migration: an address, a key, and version 1 of the route. */
export function startTraffic(options: {
  url: string
  apiKey: string
  perSecond: number
  server: Server
}): Traffic {
  const { url, apiKey, perSecond, server } = options
  const vaani = new Vaani({ baseUrl: url, apiKey, maxRetries: 0 })
  const over = new AbortController()
  const underWay = new Set<Promise<void>>()
  const counts = { sent: 0, answered: 0, failed: 0 }
  const liveness_video = server.specimen('liveness.mp4')

  async function submit(): Promise<string> {
    const person = (counts.sent += 1)
    const outcome = EXPIRED.has(person % OF) ? 'test_declined_expired' : 'test_approved'
    try {
      const { verification_id } = await vaani.identity.submitV1({
        front_image: drawPicture(2 * person),
        back_image: drawPicture(2 * person + 1),
        liveness_video,
        external_id: `${outcome}:person-${person}`,
      })
      counts.answered += 1
      return verification_id
    } catch (error) {
      counts.failed += 1
      throw error
    }
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      if (underWay.size < MAX_UNDER_WAY) {
        const one = submit().then(
          () => undefined,
          () => undefined,
        )
        underWay.add(one)
        void one.finally(() => underWay.delete(one))
      }
      await delay(1000 / perSecond, undefined, { signal: over.signal }).catch(() => undefined)
    }
    await Promise.all(underWay)
  }

  const running = run()
  return {
    counts,
    submit,
    async stop() {
      over.abort()
      await running
    },
  }
}
