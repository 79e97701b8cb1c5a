import type { Queues } from '@vaani/service-kit/jobs/boss'

/** Where alerts go. Each has a queue of its own, so that a dead receiver delays no other. */
export const TARGETS = ['log', 'webhook', 'slack'] as const
export type Target = (typeof TARGETS)[number]

export const queueOf = (target: Target): string => `alerts.${target}`

/** Attempts go on for more than half a day: 5 s after the first, then at doubled intervals of an hour at most. */
export const RETRIES = 20
const LONGEST_DELAY_SECONDS = 3600

export const alertQueues: Queues = Object.fromEntries(
  TARGETS.map((target) => [
    queueOf(target),
    {
      notify: true,
      retryLimit: RETRIES,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: LONGEST_DELAY_SECONDS,
      expireInSeconds: 60,
    },
  ]),
)
