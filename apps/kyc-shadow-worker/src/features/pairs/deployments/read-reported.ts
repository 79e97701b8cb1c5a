import { readInput, type Verification, verificationSchema } from '@vaani/contracts'
import { FIELD_NAMES } from '@vaani/contracts/migration'
import type { ReadValues } from '../rules/conclude.ts'
import type { Reported } from '../rules/apply.ts'

const CODE = /^[A-Za-z0-9_.-]{1,64}$/
const MOST_CODES = 50
const MOST_ID_CHARACTERS = 200

/** Reads a verification of a deployment, in which `null` may stand for what is absent; null if it is none. */
export function readVerification(body: unknown): Verification | null {
  const parsed = readInput(verificationSchema, body)
  return parsed.success && parsed.data.verification_id.length <= MOST_ID_CHARACTERS ? parsed.data : null
}

/** What is kept of a verification: nothing in it is of a person. */
export const toReported = (verification: Verification): Reported => ({
  verificationId: verification.verification_id,
  decision: verification.decision,
  reasonCodes: (verification.reasons ?? [])
    .map(({ code }) => code)
    .filter((code) => CODE.test(code))
    .slice(0, MOST_CODES),
  decisionMs: decisionMsOf(verification),
})

/** What is compared and then erased. */
export const toValues = ({ scores, extracted }: Verification): ReadValues => ({
  scores,
  extracted: extracted
    ? Object.fromEntries(FIELD_NAMES.map((name) => [name, extracted[name] ?? null]))
    : null,
})

/** Reads the code of an error body. Anything that is no code is left out, because it may hold what was submitted. */
export function readErrorCode(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  const { error } = body
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' && CODE.test(error.code) ? error.code : null
}

function decisionMsOf({ created_at: createdAt, decided_at: decidedAt }: Verification): number | null {
  if (createdAt === undefined || decidedAt === undefined || decidedAt === null) return null
  const tookMs = Date.parse(decidedAt) - Date.parse(createdAt)
  return tookMs >= 0 ? tookMs : null
}
