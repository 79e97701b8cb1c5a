import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Carrier, Pacing } from '@vaani/telephony'
import type { SimulatorOptions } from '@vaani/telephony-sip/simulator'
import { type CarrierEntry, CARRIERS_VARIABLE, type CarriersFile } from './carriers-file.ts'
import { openLine } from './open-line.ts'

/** The carriers of a worker, by the names of the operator's file. */
export interface Carriers {
  readonly all: ReadonlyMap<string, Carrier>
  /** Returns a carrier; undefined if the file no longer has it. */
  find(name: string): Carrier | undefined
  /** Returns and resets the measured pacing of the carrier whose frames were the least even. */
  pacing(): Pacing
  close(): Promise<void>
}

/** Creates a simulator. Tests replace it. */
export type CreateSimulator = (options: SimulatorOptions) => Carrier

/** @throws ConfigError if a module cannot be used */
export async function createCarriers(options: {
  file: string | undefined
  entries: CarriersFile['carriers']
  numbers: CarriersFile['numbers']
  createSimulator: CreateSimulator
  log: Logger
}): Promise<Carriers> {
  const { file = '', entries, numbers, createSimulator, log } = options
  const carriers = new Map<string, Carrier>()
  const close = async (): Promise<void> => {
    await Promise.all([...carriers.values()].map((carrier) => carrier.close()))
  }
  async function create(name: string, entry: CarrierEntry): Promise<Carrier> {
    const onCrash = (error: Error): void =>
      log.error({ error }, 'The media worker crashed; its calls ended as carrier-error')
    switch (entry.type) {
      case 'simulator':
        return createSimulator({ ...entry.options, onCrash })
      case 'module':
        return loadModule(name, path.resolve(path.dirname(file), entry.module), entry.options)
      case 'sip':
      case 'twilio':
      case 'telnyx':
      case 'vonage': {
        const takesCalls = numbers.some(({ carrier }) => carrier === name)
        return openLine({ name, entry, takesCalls, folder: path.dirname(file), onCrash })
      }
    }
  }
  try {
    for (const [name, entry] of Object.entries(entries)) carriers.set(name, await create(name, entry))
  } catch (error) {
    await close()
    throw error
  }
  return {
    all: carriers,
    find: (name) => carriers.get(name),
    pacing: () =>
      [...carriers.values()]
        .map((carrier) => carrier.pacing())
        .reduce((worst, pacing) => ({
          ...(pacing.p99Ms > worst.p99Ms ? pacing : worst),
          gaps: worst.gaps + pacing.gaps,
          calls: worst.calls + pacing.calls,
        })),
    close,
  }
}

/** Calls the function that a module exports as `default` or `createCarrier`. */
async function loadModule(name: string, file: string, options: object): Promise<Carrier> {
  const fail = (problem: string, cause?: unknown): never => {
    throw new ConfigError(`${CARRIERS_VARIABLE} carriers.${name}.module: ${problem}`, { cause })
  }
  const module: unknown = await import(pathToFileURL(file).href).catch((error: unknown) =>
    fail('cannot be loaded', error),
  )
  const create = memberOf(module, 'default') ?? memberOf(module, 'createCarrier')
  if (typeof create !== 'function') return fail('exports no function as default or createCarrier')
  const carrier: unknown = await (async () => create(options))().catch((error: unknown) =>
    fail('could not create its carrier', error),
  )
  return isCarrier(carrier) ? carrier : fail('created no Carrier of @vaani/telephony')
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const isCarrier = (value: unknown): value is Carrier =>
  typeof memberOf(value, 'name') === 'string' &&
  typeof memberOf(value, 'sampleRateHz') === 'number' &&
  ['dial', 'pacing', 'close'].every((method) => typeof memberOf(value, method) === 'function')
