import { readSettingsFile } from '@vaani/service-kit/settings/read-settings-file'
import { z } from 'zod'
import { type CarrierRoute, type CarrierRoutes, isSimulator } from '../rules/choose-carrier.ts'
import type { CallingHours } from '../rules/calling-hours.ts'
import { moneySchema } from '../rules/money.ts'
import { NOTICE_MODES, type NoticeMode } from '../rules/notices.ts'
import { zonesOf } from '../rules/number-zones.ts'
import { type CapsEntry, capsSchema, limitsSpend } from './line-caps.ts'
import { hoursSchema, timeZoneSchema, toHours } from './line-hours.ts'
import { host, limits, phoneNumber, port } from './entry-members.ts'
import { type TelnyxEntry, telnyxSchema } from './telnyx-entry.ts'
import { type TwilioEntry, twilioSchema } from './twilio-entry.ts'
import { type VonageEntry, vonageSchema } from './vonage-entry.ts'

export const CARRIERS_VARIABLE = 'VAANI_CARRIERS_FILE'
const SIMULATOR = 'simulator'

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
    /** Path of a PEM file, relative to this file, with the authorities that issue the trunk's certificate, instead of the public ones. */
    certificate_authority_file: z.string().min(1).optional(),
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
  .refine(({ transport, certificate_authority_file: file }) => file === undefined || transport === 'tls', {
    error: 'must have certificate_authority_file with tls only',
  })

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
  /** When its numbers may be called; those of the file by default. */
  hours: hoursSchema.optional(),
  /** Where its numbers are, instead of what they begin with. */
  time_zone: timeZoneSchema.optional(),
})
const routesSchema = z.array(
  z.union([z.string().transform((carrier): z.output<typeof routeSchema> => ({ carrier })), routeSchema]),
)

/** A number that callers reach, and the agent that answers it. */
const numberSchema = z.strictObject({
  number: phoneNumber,
  carrier: z.string(),
  account: z.string(),
  agent: z.string(),
  mode: z.enum(['test', 'live']).default('live'),
  /** When it is answered. Always by default. */
  hours: hoursSchema.default('any'),
  /** Whose clocks the hours go by, instead of those where the number belongs. */
  time_zone: timeZoneSchema.optional(),
  /** Calls that each worker answers at once. */
  channels: z.number().int().min(1).max(100_000).optional(),
})

/** A real phone costs money: nothing is dialled outside a list that the operator has written. */
const isAllowList = (prefixes: readonly string[] | undefined): boolean =>
  prefixes !== undefined && !prefixes.includes('+')

/** Types of entries whose calls ring real phones by what the server itself knows. */
const LINE_TYPES = ['sip', 'twilio', 'telnyx', 'vonage'] as const satisfies readonly LineEntry['type'][]
const isLineType = (type: CarrierEntry['type'] | undefined): boolean =>
  LINE_TYPES.some((line) => line === type)

const fileSchema = z
  .strictObject({
    carriers: z.record(
      z.string().regex(/^[a-z0-9-]{1,64}$/, { error: 'must be 1 to 64 of a-z, 0-9 and -' }),
      z.discriminatedUnion('type', [
        simulatorSchema,
        moduleSchema,
        sipSchema,
        twilioSchema,
        telnyxSchema,
        vonageSchema,
      ]),
    ),
    test: routesSchema,
    live: routesSchema,
    numbers: z.array(numberSchema).default([]),
    caps: capsSchema.optional(),
    hours: hoursSchema.optional(),
    notices: z.enum(NOTICE_MODES).default('by_country'),
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
        else if (isLineType(value.carriers[carrier]?.type) && !isAllowList(prefixes))
          report([mode, index, 'prefixes'], 'must list the countries that may be called, such as +977')
    if (value.caps !== undefined && limitsSpend(value.caps)) {
      if (value.caps.currency === undefined) report(['caps', 'currency'], 'must be there, with spend_per_day')
      for (const mode of ['test', 'live'] as const)
        for (const [index, { carrier, price_per_minute: price }] of value[mode].entries())
          if (!isSimulator(carrier) && price === undefined)
            report([mode, index, 'price_per_minute'], 'must be there, with spend_per_day')
    }
    const known = new Set<string>()
    for (const [index, { number, carrier, hours, time_zone: zone }] of value.numbers.entries()) {
      if (hours !== 'any' && zone === undefined && zonesOf(number).length !== 1)
        report(['numbers', index, 'time_zone'], 'must be there: the number may be in several zones')
      const type = Object.hasOwn(value.carriers, carrier) ? value.carriers[carrier]?.type : undefined
      if (type === undefined) report(['numbers', index, 'carrier'], 'names no carrier of the file')
      else if (type === 'simulator')
        report(['numbers', index, 'carrier'], 'must be a phone line: nobody calls a simulator')
      else if (type === 'vonage')
        report(['numbers', index, 'carrier'], 'must be another line: calls from Vonage are not taken')
      else if (known.has(`${carrier} ${number}`)) report(['numbers', index], 'is there twice')
      known.add(`${carrier} ${number}`)
    }
  })

export interface CarriersFile {
  readonly carriers: Readonly<Record<string, CarrierEntry>>
  readonly routes: CarrierRoutes
  readonly numbers: readonly InboundNumber[]
  readonly caps: CapsEntry | undefined
  readonly notices: NoticeMode
}
/** A number that callers reach. */
export interface InboundNumber extends Omit<z.output<typeof numberSchema>, 'hours' | 'time_zone'> {
  readonly hours: CallingHours
  /** The zone by whose clocks the hours go. */
  readonly timeZone: string | undefined
}
export type SipEntry = z.output<typeof sipSchema>
/** A line on which phones ring. */
export type LineEntry = SipEntry | TwilioEntry | TelnyxEntry | VonageEntry
export type CarrierEntry = z.output<typeof simulatorSchema> | z.output<typeof moduleSchema> | LineEntry

/** Returns whether an entry is a line on which phones ring, opened by the server itself. */
export const isLine = (entry: CarrierEntry): entry is LineEntry => isLineType(entry.type)

/** Without a file, a simulator takes all calls of both modes. */
const NO_FILE: CarriersFile = {
  carriers: { [SIMULATOR]: { type: 'simulator', options: {} } },
  routes: { test: [{ carrier: SIMULATOR }], live: [{ carrier: SIMULATOR }] },
  numbers: [],
  caps: undefined,
  notices: 'off',
}

const toRoute = ({
  price_per_minute: price,
  time_zone: timeZone,
  hours,
  ...route
}: z.output<typeof routeSchema>): CarrierRoute => ({
  ...route,
  ...(timeZone !== undefined && { timeZone }),
  ...(hours !== undefined && { hours: toHours(hours) }),
  ...(price !== undefined && { pricePerMinuteMicros: price }),
})

const toNumber = ({
  hours,
  time_zone: timeZone,
  ...number
}: z.output<typeof numberSchema>): InboundNumber => ({
  ...number,
  hours: toHours(hours),
  timeZone: timeZone ?? zonesOf(number.number)[0],
})

/** Reads the file, if there is one. @throws ConfigError that names each invalid member, without its value */
export async function readCarriers(file: string | undefined): Promise<CarriersFile> {
  if (file === undefined) return NO_FILE
  const { test, live, hours, numbers, ...more } = await readSettingsFile(CARRIERS_VARIABLE, file, fileSchema)
  return {
    ...more,
    numbers: numbers.map(toNumber),
    caps: more.caps,
    routes: { test: test.map(toRoute), live: live.map(toRoute), ...(hours && { hours: toHours(hours) }) },
  }
}
