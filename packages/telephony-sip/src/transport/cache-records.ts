import type { Clock } from '../clock.ts'
import type { DnsResolver } from './dns-resolver.ts'

/** Of NAPTR and SRV, whose time to live Node does not tell, and of failures. */
const TTL_MS = 60_000
const MAX_TTL_MS = 3_600_000
const MAX_ENTRIES = 256

interface Entry<Value> {
  readonly value: Promise<Value>
  untilMs: number
}

/** Keeps what a lookup returned for as long as it says, and a failure for a minute. */
function createCache<Value>(clock: Clock, ttlOf: (value: Value) => number) {
  const entries = new Map<string, Entry<Value>>()
  return (key: string, look: () => Promise<Value>): Promise<Value> => {
    const known = entries.get(key)
    if (known !== undefined && known.untilMs > clock.nowMs()) return known.value
    entries.delete(key)
    const [oldest] = entries.keys()
    if (oldest !== undefined && entries.size >= MAX_ENTRIES) entries.delete(oldest)
    const entry: Entry<Value> = { value: look(), untilMs: clock.nowMs() + TTL_MS }
    entries.set(key, entry)
    void entry.value.then(
      (value) => (entry.untilMs = clock.nowMs() + Math.min(ttlOf(value), MAX_TTL_MS)),
      // Its readers hear of the failure.
      () => {},
    )
    return entry.value
  }
}

/** Returns a resolver that asks another one at most once while its answer lives. */
export function cacheRecords(resolver: DnsResolver, clock: Clock): DnsResolver {
  const naptr = createCache<Awaited<ReturnType<DnsResolver['naptr']>>>(clock, () => TTL_MS)
  const srv = createCache<Awaited<ReturnType<DnsResolver['srv']>>>(clock, () => TTL_MS)
  const addresses = createCache<Awaited<ReturnType<DnsResolver['addresses']>>>(clock, (records) =>
    records.length === 0 ? TTL_MS : 1000 * Math.min(...records.map(({ ttlSeconds }) => ttlSeconds)),
  )
  return {
    naptr: (name) => naptr(name, () => resolver.naptr(name)),
    srv: (name) => srv(name, () => resolver.srv(name)),
    addresses: (name, family) => addresses(`${family} ${name}`, () => resolver.addresses(name, family)),
  }
}
