import type { FastifyRequest } from 'fastify'
import { redactNotes } from '../rules/redact.ts'
import type { VerificationRow } from '../tables.ts'

/** Lets the response be stored for repetitions of the request, without the notes, which are stored encrypted only. */
export function keepAnswer(
  { idempotency }: FastifyRequest,
  { verification_id }: Pick<VerificationRow, 'verification_id'>,
): void {
  if (idempotency === null) return
  idempotency.objectId = verification_id
  idempotency.redact = redactNotes
}
