import { describe, expect, test, vi } from 'vitest'
import { createManualClock } from '../../test/manual-clock.ts'
import { cacheRecords } from './cache-records.ts'
import type { AddressRecord, DnsResolver, NaptrRecord, SrvRecord } from './dns-resolver.ts'
import { resolveTargets, type Target } from './resolve-targets.ts'

interface Zone {
  readonly naptr?: Readonly<Record<string, readonly NaptrRecord[]>>
  readonly srv?: Readonly<Record<string, readonly SrvRecord[]>>
  readonly addresses?: Readonly<Record<string, readonly string[]>>
}

const TTL_SECONDS = 300

function createResolver({ naptr = {}, srv = {}, addresses = {} }: Zone) {
  const answer = async <Entry>(records: readonly Entry[] | undefined): Promise<readonly Entry[]> => {
    if (records === undefined) throw new Error('ENOTFOUND')
    return records
  }
  return {
    naptr: vi.fn((name: string) => answer(naptr[name])),
    srv: vi.fn((name: string) => answer(srv[name])),
    addresses: vi.fn((name: string, family: 4 | 6): Promise<readonly AddressRecord[]> =>
      answer(addresses[`${name} ${family}`]?.map((address) => ({ address, ttlSeconds: TTL_SECONDS }))),
    ),
  } satisfies DnsResolver
}

const rule = (service: string, replacement: string, order: number, preference = 0): NaptrRecord => ({
  flags: 's',
  service,
  replacement,
  order,
  preference,
})

const service = (name: string, port: number, priority: number): SrvRecord => ({
  name,
  port,
  priority,
  weight: 1,
})

const resolve = (target: Target, resolver: DnsResolver, family: 4 | 6 = 4) =>
  resolveTargets(target, { resolver, family, random: () => 0 })

describe('resolveTargets', () => {
  test('asks nothing about an address', async () => {
    const resolver = createResolver({})
    expect(await resolve({ host: '192.0.2.1', transport: 'udp' }, resolver)).toEqual([
      { transport: 'udp', address: '192.0.2.1', port: 5060 },
    ])
    expect(await resolve({ host: '2001:db8::1', port: 5070, transport: 'tls' }, resolver, 6)).toEqual([
      { transport: 'tls', address: '2001:db8::1', port: 5070, serverName: '2001:db8::1' },
    ])
    expect(resolver.addresses).not.toHaveBeenCalled()
  })

  test('asks only for the addresses of a name with a port', async () => {
    const resolver = createResolver({ addresses: { 'trunk.example 4': ['192.0.2.1', '192.0.2.2'] } })
    expect(await resolve({ host: 'trunk.example', port: 5080, transport: 'tcp' }, resolver)).toEqual([
      { transport: 'tcp', address: '192.0.2.1', port: 5080 },
      { transport: 'tcp', address: '192.0.2.2', port: 5080 },
    ])
    expect(resolver.naptr).not.toHaveBeenCalled()
    expect(resolver.srv).not.toHaveBeenCalled()
  })

  test('follows the NAPTR records of its transport, and then SRV by priority', async () => {
    const resolver = createResolver({
      naptr: {
        'trunk.example': [
          rule('SIP+D2U', 'udp.trunk.example', 1),
          rule('SIPS+D2T', 'second.trunk.example', 20),
          rule('SIPS+D2T', 'first.trunk.example', 10),
        ],
      },
      srv: { 'first.trunk.example': [service('b.example', 5072, 2), service('a.example', 5071, 1)] },
      addresses: { 'a.example 4': ['192.0.2.1'], 'b.example 4': ['192.0.2.2'] },
    })
    expect(await resolve({ host: 'trunk.example', transport: 'tls' }, resolver)).toEqual([
      { transport: 'tls', address: '192.0.2.1', port: 5071, serverName: 'trunk.example' },
      { transport: 'tls', address: '192.0.2.2', port: 5072, serverName: 'trunk.example' },
    ])
  })

  test.each([
    ['udp', '_sip._udp.trunk.example'],
    ['tcp', '_sip._tcp.trunk.example'],
    ['tls', '_sips._tcp.trunk.example'],
  ] as const)('looks for SRV records of %s without NAPTR', async (transport, name) => {
    const resolver = createResolver({
      srv: { [name]: [service('a.example', 5090, 1)] },
      addresses: { 'a.example 6': ['2001:db8::1'] },
    })
    const peers = await resolve({ host: 'trunk.example', transport }, resolver, 6)
    expect(peers).toMatchObject([{ transport, address: '2001:db8::1', port: 5090 }])
  })

  test.each([
    ['udp', 5060],
    ['tcp', 5060],
    ['tls', 5061],
  ] as const)('takes the default port of %s without any record but addresses', async (transport, port) => {
    const resolver = createResolver({ addresses: { 'trunk.example 4': ['192.0.2.1'] } })
    expect(await resolve({ host: 'trunk.example', transport }, resolver)).toMatchObject([{ port }])
  })

  test('finds nothing if there is nothing, or if the service is declared absent', async () => {
    expect(await resolve({ host: 'trunk.example', transport: 'udp' }, createResolver({}))).toEqual([])
    const absent = createResolver({
      srv: { '_sip._udp.trunk.example': [service('.', 0, 0)] },
      addresses: { 'trunk.example 4': ['192.0.2.1'] },
    })
    expect(await resolve({ host: 'trunk.example', transport: 'udp' }, absent)).toEqual([])
  })

  test('bounds how many peers a zone can name', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `${index}.example`)
    const resolver = createResolver({
      srv: { '_sip._udp.trunk.example': names.map((name) => service(name, 5060, 1)) },
      addresses: Object.fromEntries(
        names.map((name) => [`${name} 4`, Array.from({ length: 10 }, () => '192.0.2.1')]),
      ),
    })
    expect(await resolve({ host: 'trunk.example', transport: 'udp' }, resolver)).toHaveLength(32)
    expect(resolver.addresses).toHaveBeenCalledTimes(16)
  })
})

describe('cacheRecords', () => {
  test('asks again when the time to live is over', async () => {
    const clock = createManualClock()
    const resolver = createResolver({ addresses: { 'a.example 4': ['192.0.2.1'] } })
    const cached = cacheRecords(resolver, clock)
    const look = () => cached.addresses('a.example', 4)
    await Promise.all([look(), look()])
    clock.advance(TTL_SECONDS * 1000 - 1)
    await look()
    expect(resolver.addresses).toHaveBeenCalledTimes(1)
    clock.advance(1)
    await look()
    expect(resolver.addresses).toHaveBeenCalledTimes(2)
  })

  test('remembers for a minute that there is nothing', async () => {
    const clock = createManualClock()
    const resolver = createResolver({})
    const cached = cacheRecords(resolver, clock)
    await expect(cached.srv('a.example')).rejects.toThrow('ENOTFOUND')
    clock.advance(59_999)
    await expect(cached.srv('a.example')).rejects.toThrow('ENOTFOUND')
    expect(resolver.srv).toHaveBeenCalledTimes(1)
    clock.advance(1)
    await expect(cached.srv('a.example')).rejects.toThrow('ENOTFOUND')
    expect(resolver.srv).toHaveBeenCalledTimes(2)
  })

  test('forgets the oldest of more than 256 names', async () => {
    const resolver = createResolver({ srv: { '0': [] } })
    const cached = cacheRecords(resolver, createManualClock())
    for (let name = 0; name < 257; name++) await cached.srv(String(name)).catch(() => {})
    await cached.srv('256').catch(() => {})
    expect(resolver.srv).toHaveBeenCalledTimes(257)
    await cached.srv('0')
    expect(resolver.srv).toHaveBeenCalledTimes(258)
  })
})
