import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAllowedRanges } from './address-ranges.ts'
import { checkDestination } from './guard-url.ts'
import type { ResolveHost } from './resolve-host.ts'

const OPEN_LOOPBACK = parseAllowedRanges(['127.0.0.0/8', '::1/128'])
const NAMES: Record<string, readonly string[]> = {
  'example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example.com': ['10.0.0.7', '::1', '::ffff:169.254.169.254'],
  'mixed.example.com': ['10.0.0.7', '93.184.215.14'],
  'loopback.example.com': ['127.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
  'app.localhost': ['127.0.0.1', '::1'],
  receiver: ['127.0.0.1'],
  'public-receiver': ['93.184.215.14'],
}

const resolve: ResolveHost = (hostname) => {
  const addresses = NAMES[hostname]
  return addresses === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(addresses)
}

const check = (url: string, allowed = parseAllowedRanges([])) => checkDestination(url, { allowed, resolve })

describe('checkDestination', () => {
  it.each([
    'https://example.com/hooks?a=1#fragment',
    'https://EXAMPLE.com:8443',
    'https://93.184.215.14/',
    'https://[2606:4700:4700::1111]:8443/',
    'https://mixed.example.com/',
  ])('accepts %s', async (url) => {
    expect(await check(url)).toEqual({ ok: true })
  })

  it.each([
    ['', 'url_invalid'],
    ['hooks', 'url_invalid'],
    ['https://', 'url_invalid'],
    ['https://[::1', 'url_invalid'],
    ['https://[fe80::1%25lo]/', 'url_invalid'],
    ['https://exa%00mple.com/', 'url_invalid'],
    ['https://1.2.3.4.5/', 'url_invalid'],
    ['https://example.com:65536/', 'url_invalid'],
    ['ftp://example.com/', 'scheme_not_allowed'],
    ['file:///etc/passwd', 'scheme_not_allowed'],
    ['javascript:alert(1)', 'scheme_not_allowed'],
    ['http://example.com/', 'scheme_not_allowed'],
    ['http://127.0.0.1:9000/', 'scheme_not_allowed'],
    ['https://user@example.com/', 'credentials_not_allowed'],
    ['https://:password@example.com/', 'credentials_not_allowed'],
    ['https://example.com:22/', 'port_not_allowed'],
    ['https://example.com:0/', 'port_not_allowed'],
    ['https://example.com:6667/', 'port_not_allowed'],
    ['https://localhost/', 'host_not_allowed'],
    ['https://LOCALHOST.:8443/', 'host_not_allowed'],
    ['https://ⓛocalhost/', 'host_not_allowed'],
    ['https://app.localhost/', 'host_not_allowed'],
    ['https://receiver/', 'host_not_allowed'],
    ['https://public-receiver/', 'host_not_allowed'],
    ['https://metadata.google.internal/', 'host_not_allowed'],
    ['https://metadata.google.internal./', 'host_not_allowed'],
    ['https://printer.local/', 'host_not_allowed'],
    ['https://nas.home.arpa/', 'host_not_allowed'],
    ['https://./', 'host_not_allowed'],
    ['https://127.0.0.1../', 'host_not_allowed'],
    ['https://inside.example.com/', 'address_not_allowed'],
    ['https://loopback.example.com/', 'address_not_allowed'],
  ])('refuses %s as %s', async (url, reason) => {
    expect(await check(url)).toEqual({ ok: false, reason })
  })

  it.each([
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.01/',
    'https://%31%32%37.0.0.1/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://①②⑦.⓪.⓪.①/',
    'https:127.0.0.1',
    'https:\\\\127.0.0.1',
    ' https://127.0.0.1 ',
    'https://127.0\t.0.1/',
    'https://0/',
    'https://[::1]/',
    'https://[0:0::0:1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
  ])('sees through %s', async (url) => {
    expect(await check(url)).toEqual({ ok: false, reason: 'address_not_allowed' })
  })

  it.each([
    'http://127.0.0.1:9000/hook',
    'https://127.0.0.1:9000/hook',
    'http://[::1]:9000/',
    'http://[::ffff:127.0.0.1]:9000/',
    'http://localhost:9000/',
    'http://app.localhost:9000/',
    'http://receiver:9000/',
    'http://loopback.example.com/',
    'https://inside.example.com/',
    'https://example.com/',
  ])('accepts %s if loopback is opened', async (url) => {
    expect(await check(url, OPEN_LOOPBACK)).toEqual({ ok: true })
  })

  it.each([
    ['http://10.0.0.1:9000/', 'scheme_not_allowed'],
    ['http://93.184.215.14/', 'scheme_not_allowed'],
    ['http://example.com/', 'scheme_not_allowed'],
    ['http://nobody.example.com/', 'scheme_not_allowed'],
    ['https://10.0.0.1:9000/', 'address_not_allowed'],
    ['https://public-receiver/', 'host_not_allowed'],
    ['https://nobody.internal/', 'host_not_allowed'],
  ])('still refuses %s if only loopback is opened', async (url, reason) => {
    expect(await check(url, OPEN_LOOPBACK)).toEqual({ ok: false, reason })
  })

  it('accepts a public name that the DNS does not resolve, or not in time', async () => {
    expect(await check('https://nobody.example.com/')).toEqual({ ok: true })
    const silent: ResolveHost = () => new Promise(() => {})
    expect(
      await checkDestination('https://example.com/', { allowed: [], resolve: silent, resolveTimeoutMs: 1 }),
    ).toEqual({ ok: true })
  })

  it('does not query the DNS if no answer could change the verdict', async () => {
    const asked: string[] = []
    const counting: ResolveHost = (hostname) => {
      asked.push(hostname)
      return resolve(hostname)
    }
    for (const url of [
      'http://example.com/',
      'https://localhost/',
      'https://10.0.0.1/',
      'https://db.internal/',
    ])
      expect(await checkDestination(url, { allowed: [], resolve: counting })).toMatchObject({ ok: false })
    expect(asked).toEqual([])
  })

  it('never throws', async () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withFragments: true, withQueryParameters: true, validSchemes: ['http', 'https', 'ftp'] }),
      fc.string({ unit: 'binary' }).map((host) => `https://${host}/`),
    )
    await fc.assert(
      fc.asyncProperty(hostile, async (url) => {
        const verdict = await checkDestination(url, {
          allowed: OPEN_LOOPBACK,
          resolve: () => {
            throw new Error('no DNS')
          },
        })
        expect(typeof verdict.ok).toBe('boolean')
      }),
    )
  })
})
