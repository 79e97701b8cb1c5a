import {
  CHECK_NAMES,
  type CheckName,
  DEFAULT_POLICY,
  DOCUMENT_KINDS,
  POLICIES,
  type Policy,
} from '@vaani/identity-checks'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { readSettingsFile } from '@vaani/service-kit/settings/read-settings-file'
import { z } from 'zod'
import type { IdentitySettings } from './settings.ts'

export interface Policies {
  readonly byName: ReadonlyMap<string, Policy>
  /** Policy of accounts that have none of their own. */
  readonly standard: Policy
}

/** A policy of the operator. Omitted members come from the default policy, which is the strictest. */
const policySchema = z.strictObject({
  weights: z.partialRecord(z.enum(CHECK_NAMES), z.enum(['required', 'supporting', 'ignored'])).default({}),
  any_of: z.array(z.array(z.enum(CHECK_NAMES)).min(2)).default([]),
  accepts: z
    .strictObject({
      documents: z.array(z.enum(DOCUMENT_KINDS)).min(1).optional(),
      countries: z
        .array(z.string().regex(/^[A-Z]{3}$/, { error: 'must be a code of three letters, such as NPL' }))
        .min(1)
        .optional(),
      min_age: z.int().min(0).max(120).optional(),
      specimens: z.boolean().optional(),
    })
    .default({}),
  decline_on: z.array(z.enum(CHECK_NAMES)).optional(),
  reviewers: z.int().min(1).max(5).default(DEFAULT_POLICY.reviewers),
  review_within_hours: z.int().min(1).max(8760).nullable().default(DEFAULT_POLICY.reviewWithinHours),
})
const fileSchema = z.record(z.string().max(64), policySchema)

/**
 * Loads the built-in policies and those of the operator's file.
 *
 * @throws ConfigError if the file cannot be read or is invalid, or the standard policy does not exist
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
    throw new ConfigError(`VAANI_IDENTITY_POLICY must be one of ${[...byName.keys()].join(', ')}`)
  return { byName, standard }
}

async function readPolicies(file: string): Promise<Policy[]> {
  const given = await readSettingsFile('VAANI_IDENTITY_POLICIES_FILE', file, fileSchema)
  const taken = Object.keys(given).find((name) => Object.hasOwn(POLICIES, name))
  if (taken !== undefined)
    throw new ConfigError(`VAANI_IDENTITY_POLICIES_FILE ${taken}: is the name of a built-in policy`)
  const policies = Object.entries(given).map(([name, policy]) => ({
    name,
    weights: { ...DEFAULT_POLICY.weights, ...policy.weights },
    // A policy that does not weigh the zone itself needs it, or a barcode, like the default.
    anyOf: [...policy.any_of, ...(policy.weights.mrz_checks === undefined ? DEFAULT_POLICY.anyOf : [])],
    accepts: {
      documents: policy.accepts.documents ?? DEFAULT_POLICY.accepts.documents,
      countries: policy.accepts.countries ?? DEFAULT_POLICY.accepts.countries,
      minAge: policy.accepts.min_age ?? DEFAULT_POLICY.accepts.minAge,
      specimens: policy.accepts.specimens ?? DEFAULT_POLICY.accepts.specimens,
    },
    declineOn: policy.decline_on ?? DEFAULT_POLICY.declineOn,
    reviewers: policy.reviewers,
    reviewWithinHours: policy.review_within_hours,
  }))
  for (const [name, { weights, any_of: groups }] of Object.entries(given)) {
    const needed = (check: CheckName): boolean =>
      check === 'mrz_checks'
        ? (weights[check] ?? 'required') === 'required'
        : (weights[check] ?? DEFAULT_POLICY.weights[check]) === 'required'
    const required = groups.flat().find(needed)
    if (required !== undefined)
      throw new ConfigError(
        `VAANI_IDENTITY_POLICIES_FILE ${name}.any_of: ${required} is required anyway; set its weight, such as "ignored"`,
      )
  }
  return policies
}
