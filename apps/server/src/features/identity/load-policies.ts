import { readFile } from 'node:fs/promises'
import { CHECK_NAMES, DEFAULT_POLICY, POLICIES, type Policy } from '@vaani/identity-checks'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { z } from 'zod'
import type { IdentitySettings } from './settings.ts'

export interface Policies {
  readonly byName: ReadonlyMap<string, Policy>
  /** What decides where an account has no policy of its own. */
  readonly standard: Policy
}

/** A policy of the operator's: what it leaves out is as in the default policy, which is the strictest. */
const policySchema = z.strictObject({
  weights: z.partialRecord(z.enum(CHECK_NAMES), z.enum(['required', 'supporting', 'ignored'])).default({}),
  decline_on: z.array(z.enum(CHECK_NAMES)).optional(),
})
const fileSchema = z.record(z.string().max(64), policySchema)

/**
 * The policies there are: those built in, and those of the operator's file.
 *
 * @throws ConfigError where the file cannot be read, or the standard policy is none of them
 */
export async function loadPolicies({
  identityPolicy,
  identityPoliciesFile,
}: IdentitySettings): Promise<Policies> {
  const byName = new Map(Object.entries(POLICIES))
  if (identityPoliciesFile !== undefined)
    for (const policy of await readPolicies(identityPoliciesFile)) byName.set(policy.name, policy)
  const standard = byName.get(identityPolicy)
  if (standard === undefined)
    throw new ConfigError(`VAANI_IDENTITY_POLICY must be of ${[...byName.keys()].join(', ')}`)
  return { byName, standard }
}

async function readPolicies(file: string): Promise<Policy[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`VAANI_IDENTITY_POLICIES_FILE cannot be read (${error.code})`)
  })
  const result = fileSchema.safeParse(parseJson(text))
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new ConfigError(`VAANI_IDENTITY_POLICIES_FILE ${problems.join('; ')}`)
  }
  const taken = Object.keys(result.data).find((name) => Object.hasOwn(POLICIES, name))
  if (taken !== undefined) throw new ConfigError(`VAANI_IDENTITY_POLICIES_FILE ${taken}: is built in`)
  return Object.entries(result.data).map(([name, policy]) => ({
    name,
    weights: { ...DEFAULT_POLICY.weights, ...policy.weights },
    declineOn: policy.decline_on ?? DEFAULT_POLICY.declineOn,
  }))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError('VAANI_IDENTITY_POLICIES_FILE is no JSON')
  }
}
