import { type Repeater, repeat } from '@vaani/service-kit/lifecycle/repeat'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Carrier, CarrierHealth } from '@vaani/telephony'

const POLL_MS = 1000

/** What is known of the carriers that know their health, by name. */
export interface CarrierWatch {
  /** Those that can know it. */
  readonly names: readonly string[]
  /** Returns the last known health; undefined if the carrier cannot know it. */
  health(name: string): CarrierHealth | undefined
  /** Describes all of them, for a person. */
  describe(): Readonly<Record<string, string>>
}

interface WatchOptions {
  readonly carriers: ReadonlyMap<string, Pick<Carrier, 'health'>>
  readonly log: Logger
}

/** Watches the carriers until it is stopped, and logs each change. Does nothing if none of them knows its health. */
export function watchCarriers(options: WatchOptions): CarrierWatch & Pick<Repeater, 'stop'> {
  const { check, ...watch } = createCarrierWatch(options)
  if (watch.names.length === 0) return { ...watch, stop: async () => undefined }
  const { stop } = repeat({
    name: 'health of carriers',
    everyMs: POLL_MS,
    run: async () => check(),
    onError: (error) => options.log.warn({ error }, 'The health of a carrier cannot be read'),
  })
  return { ...watch, stop }
}

/** Creates a watch that looks when `check` is called. */
export function createCarrierWatch({ carriers, log }: WatchOptions): CarrierWatch & { check: () => void } {
  const known = new Map<string, CarrierHealth>()
  return {
    names: [...carriers].filter(([, { health }]) => health !== undefined).map(([name]) => name),
    health: (name) => known.get(name),
    describe: () => Object.fromEntries(Array.from(known, ([name, health]) => [name, describeHealth(health)])),
    check() {
      for (const [name, carrier] of carriers) {
        const health = carrier.health?.()
        if (health === undefined) continue
        const before = known.get(name) ?? { state: 'unknown' }
        known.set(name, health)
        if (describeHealth(health) !== describeHealth(before)) logChange(log, name, health)
      }
    },
  }
}

function logChange(log: Logger, carrier: string, health: CarrierHealth): void {
  switch (health.state) {
    case 'down':
      return log.warn({ carrier, reason: health.reason, status: health.sipStatus }, 'A carrier is down')
    case 'up':
      return log.info({ carrier }, 'A carrier is up')
    case 'unknown':
      return log.info({ carrier }, 'The health of a carrier is not known any more')
  }
}

/** Describes a health in one line, such as `down since 2026-12-01T08:00:00.000Z: refused (503)`. */
export function describeHealth(health: CarrierHealth): string {
  if (health.state !== 'down') return health.state
  const { reason, sipStatus, sinceMs } = health
  const status = sipStatus === undefined ? '' : ` (${sipStatus})`
  return `down since ${new Date(sinceMs).toISOString()}: ${reason}${status}`
}
