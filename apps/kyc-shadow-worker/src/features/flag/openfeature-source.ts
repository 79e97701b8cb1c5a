import { createRequire } from 'node:module'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Provider } from '@openfeature/server-sdk'
import { type Stage, STAGES } from '@vaani/contracts/migration'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { FlagSource } from './source.ts'

const OPENFEATURE_KEYS = {
  stage: 'kyc-migration-stage',
  killSwitch: 'kyc-migration-kill-switch',
} as const

const VARIABLE = 'VAANI_SHADOW_OPENFEATURE_PROVIDER'
/** A provider that takes longer is followed once it is ready. */
const READY_MS = 10_000
const ANSWER_MS = 5000
/** For providers that give shares of their subjects another value: there is one migration. */
const CONTEXT = { targetingKey: 'kyc-migration' }

/**
 * Opens the OpenFeature provider that a module exports as its default. Its stage and its switch are used as long as it has them;
 * while it has no answer, the last one stays.
 *
 * @param specifier a path, or the name of a package that is installed in the working directory
 * @throws ConfigError if the module cannot be loaded, or exports no provider
 */
export async function openFeatureSource(specifier: string, log: Logger): Promise<FlagSource> {
  const provider = await loadProvider(specifier)
  // The SDK is loaded only here, because most operators have no provider.
  const { OpenFeature } = await import('@openfeature/server-sdk')
  const domain = `kyc-migration-${randomUUID()}`
  const isReady = OpenFeature.setProviderAndWait(domain, provider).catch((error: unknown) => {
    log.warn({ error }, 'The OpenFeature provider did not start; it is asked all the same')
  })
  await within(isReady, READY_MS).catch(() => undefined)
  const client = OpenFeature.getClient(domain)
  let isInvalid = false

  function toStage(value: string): Stage | null {
    const stage = STAGES.find((known) => known === value) ?? null
    if (stage === null && !isInvalid) log.warn('The OpenFeature provider names a stage that does not exist')
    isInvalid = stage === null
    return stage
  }

  return {
    name: provider.metadata.name,
    async read() {
      const asked = Promise.all([
        client.getStringDetails(OPENFEATURE_KEYS.stage, '', CONTEXT),
        client.getBooleanDetails(OPENFEATURE_KEYS.killSwitch, false, CONTEXT),
      ])
      const [stage, killSwitch] = await within(asked, ANSWER_MS)
      return {
        stage: stage.errorCode === undefined ? toStage(stage.value) : null,
        isKilled: killSwitch.errorCode === undefined ? killSwitch.value : null,
      }
    },
    async [Symbol.asyncDispose]() {
      await within(Promise.resolve(provider.onClose?.()), ANSWER_MS).catch(() => undefined)
    },
  }
}

async function loadProvider(specifier: string): Promise<Provider> {
  const loaded: unknown = await import(toUrl(specifier)).catch((cause: unknown) => {
    throw new ConfigError(`${VARIABLE} names a module that cannot be loaded`, { cause })
  })
  const provider: unknown =
    typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : null
  if (!isProvider(provider))
    throw new ConfigError(`${VARIABLE} names a module whose default export is no provider`)
  return provider
}

/** Modules are looked for in the working directory, because this package may be installed anywhere. */
function toUrl(specifier: string): string {
  const isPath = specifier.startsWith('.') || path.isAbsolute(specifier)
  if (isPath) return pathToFileURL(path.resolve(specifier)).href
  if (URL.canParse(specifier)) return specifier
  try {
    return pathToFileURL(createRequire(path.resolve('package.json')).resolve(specifier)).href
  } catch {
    // A package without an entry for `require`, or one beside this package.
    return specifier
  }
}

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' &&
  value !== null &&
  'metadata' in value &&
  'resolveStringEvaluation' in value &&
  'resolveBooleanEvaluation' in value

/** Rejects if something takes too long. */
async function within<Value>(work: Promise<Value>, limitMs: number): Promise<Value> {
  const over = new AbortController()
  const late = delay(limitMs, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('The OpenFeature provider takes too long')
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
