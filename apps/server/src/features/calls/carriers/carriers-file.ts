import { readSettingsFile } from '@vaani/service-kit/settings/read-settings-file'
import { z } from 'zod'
import { type CarrierRoute, type CarrierRoutes, isSimulator } from '../rules/choose-carrier.ts'
import { moneySchema } from '../rules/money.ts'
import { type CapsEntry, capsSchema, limitsSpend } from './line-caps.ts'

export const CARRIERS_VARIABLE = 'VAANI_CARRIERS_FILE'
const SIMULATOR = 'simulator'

/** What the provider of a line allows. Calls beyond it wait. */
const limits = {
  /** Calls dialled in any second, by all workers. */
  calls_per_second: z.number().int().min(1).max(1000).optional(),
  /** Calls under way at once, in all workers. */
  channels: z.number().int().min(1).max(100_000).optional(),
}

const simulatorSchema = z
  .strictObject({
    type: z.literal('simulator'),
    ring_ms: z.number().int().min(0).max(60_000).optional(),
    ...limits,
  })
  .transform(({ ring_ms, ...entry }) => ({
    ...entry,
    options: { ...(ring_ms !== undefined && { ringMs: ring_ms }) },
  }))

const moduleSchema = z.strictObject({
  type: z.literal('module'),
  /** Path of the module, relative to the file. */
  module: z.string().min(1),
  /** Handed to its function as they are. */
  options: z.record(z.string(), z.unknown()).default({}),
  ...limits,
})

const host = z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/, { error: 'must be a host name or an address' })
const port = z.number().int().min(1).max(65_535)

const sipSchema = z
  .strictObject({
    type: z.literal('sip'),
    host,
    port: port.optional(),
    transport: z.enum(['udp', 'tcp', 'tls']).default('udp'),
    username: z.string().min(1).optional(),
    /** Path of a file with the password, relative to this file. */
    password_file: z.string().min(1).optional(),
    realm: z.string().min(1).optional(),
    domain: host.optional(),
    register: z.boolean().optional(),
    keep_alive: z.boolean().optional(),
    srtp: z.enum(['off', 'required']).optional(),
    caller_id_header: z.enum(['asserted', 'preferred']).optional(),
    /** Paths of PEM files, relative to this file, for a trunk that knows its customers by a certificate. */
    client_certificate_file: z.string().min(1).optional(),
    client_key_file: z.string().min(1).optional(),
    local_address: z.union([z.ipv4(), z.ipv6()]).optional(),
    advertised_address: z.union([z.ipv4(), z.ipv6()]).optional(),
    local_port: port.optional(),
    media_ports: z.strictObject({ first: port, last: port }).optional(),
    /** The preferred one first. */
    codecs: z
      .array(z.enum(['opus', 'G722', 'PCMA', 'PCMU']))
      .min(1)
      .refine((codecs) => new Set(codecs).size === codecs.length, { error: 'must name each codec once' })
      .optional(),
    /** Where calls may come from besides the addresses of the host: addresses and networks. */
    inbound_from: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).optional(),
    ...limits,
  })
  .refine(({ username, password_file }) => (username === undefined) === (password_file === undefined), {
    error: 'must have both username and password_file, or neither',
  })
  .refine(
    ({ transport, client_certificate_file: certificate, client_key_file: key }) =>
      (certificate === undefined) === (key === undefined) && (key === undefined || transport === 'tls'),
    { error: 'must have both client_certificate_file and client_key_file, with tls, or neither' },
  )

const routeSchema = z.strictObject({
  carrier: z.string(),
  prefixes: z
    .array(
      z.string().regex(/^\+\d{0,14}$/, { error: 'must be the beginning of a number in E.164, such as +977' }),
    )
    .min(1)
    .optional(),
  accounts: z.array(z.string()).min(1).optional(),
  /** In the currency of the caps. */
  price_per_minute: moneySchema.optional(),
})
const routesSchema = z.array(
  z.union([z.string().transform((carrier): z.output<typeof routeSchema> => ({ carrier })), routeSchema]),
)

/** A number that callers reach, and the agent that answers it. */
const numberSchema = z.strictObject({
  number: z.string().regex(/^\+[1-9]\d{6,14}$/, { error: 'must be in E.164, such as +97714412345' }),
  carrier: z.string(),
  account: z.string(),
  agent: z.string(),
  mode: z.enum(['test', 'live']).default('live'),
})

/** A real phone costs money: nothing is dialled outside a list that the operator has written. */
const isAllowList = (prefixes: readonly string[] | undefined): boolean =>
  prefixes !== undefined && !prefixes.includes('+')

const fileSchema = z
  .strictObject({
    carriers: z.record(
      z.string().regex(/^[a-z0-9-]{1,64}$/, { error: 'must be 1 to 64 of a-z, 0-9 and -' }),
      z.discriminatedUnion('type', [simulatorSchema, moduleSchema, sipSchema]),
    ),
    test: routesSchema,
    live: routesSchema,
    numbers: z.array(numberSchema).default([]),
    caps: capsSchema.optional(),
  })
  .check(({ value, issues }) => {
    const report = (path: (string | number)[], message: string): void =>
      void issues.push({ code: 'custom', path, message, input: undefined })
    if (Object.keys(value.carriers).length === 0) report(['carriers'], 'must not be empty')
    // Callers learn from the name whether a phone rang.
    for (const [name, { type }] of Object.entries(value.carriers))
      if ((type === 'simulator') !== isSimulator(name))
        report(
          ['carriers', name],
          type === 'simulator'
            ? 'must be named simulator or simulator-…, because no phone rings'
            : 'must not be named like a simulator',
        )
    for (const mode of ['test', 'live'] as const)
      for (const [index, { carrier, prefixes }] of value[mode].entries())
        if (!Object.hasOwn(value.carriers, carrier)) report([mode, index], 'names no carrier of the file')
        else if (value.carriers[carrier]?.type === 'sip' && !isAllowList(prefixes))
          report([mode, index, 'prefixes'], 'must list the countries that may be called, such as +977')
    if (value.caps !== undefined && limitsSpend(value.caps)) {
      if (value.caps.currency === undefined) report(['caps', 'currency'], 'must be there, with spend_per_day')
      for (const mode of ['test', 'live'] as const)
        for (const [index, { carrier, price_per_minute: price }] of value[mode].entries())
          if (!isSimulator(carrier) && price === undefined)
            report([mode, index, 'price_per_minute'], 'must be there, with spend_per_day')
    }
    const known = new Set<string>()
    for (const [index, { number, carrier }] of value.numbers.entries()) {
      const type = Object.hasOwn(value.carriers, carrier) ? value.carriers[carrier]?.type : undefined
      if (type === undefined) report(['numbers', index, 'carrier'], 'names no carrier of the file')
      else if (type === 'simulator')
        report(['numbers', index, 'carrier'], 'must be a phone line: nobody calls a simulator')
      else if (known.has(`${carrier} ${number}`)) report(['numbers', index], 'is there twice')
      known.add(`${carrier} ${number}`)
    }
  })

export interface CarriersFile {
  readonly carriers: Readonly<Record<string, CarrierEntry>>
  readonly routes: CarrierRoutes
  readonly numbers: readonly InboundNumber[]
  readonly caps: CapsEntry | undefined
}
export type InboundNumber = z.output<typeof numberSchema>
export type SipEntry = z.output<typeof sipSchema>
export type CarrierEntry = z.output<typeof simulatorSchema> | z.output<typeof moduleSchema> | SipEntry

/** Without a file, a simulator takes all calls of both modes. */
const NO_FILE: CarriersFile = {
  carriers: { [SIMULATOR]: { type: 'simulator', options: {} } },
  routes: { test: [{ carrier: SIMULATOR }], live: [{ carrier: SIMULATOR }] },
  numbers: [],
  caps: undefined,
}

const toRoute = ({ price_per_minute: price, ...route }: z.output<typeof routeSchema>): CarrierRoute => ({
  ...route,
  ...(price !== undefined && { pricePerMinuteMicros: price }),
})

/** Reads the file, if there is one. @throws ConfigError that names each invalid member, without its value */
export async function readCarriers(file: string | undefined): Promise<CarriersFile> {
  if (file === undefined) return NO_FILE
  const { test, live, ...more } = await readSettingsFile(CARRIERS_VARIABLE, file, fileSchema)
  return { ...more, caps: more.caps, routes: { test: test.map(toRoute), live: live.map(toRoute) } }
}
