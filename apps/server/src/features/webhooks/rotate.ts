import type { WebhooksContext } from './context.ts'
import type { SecretOwner } from './secret-store.ts'

const HOUR_MS = 3_600_000

export async function rotate(
  { secrets, database }: WebhooksContext,
  owner: SecretOwner,
  rotation: { overlap_hours: number; sign_with: 'new' | 'previous' },
) {
  const { secret, previousUntil } = await secrets.rotate(database, owner, {
    overlapMs: rotation.overlap_hours * HOUR_MS,
    signWith: rotation.sign_with,
  })
  return { secret, previous_secret_until: previousUntil?.toISOString() ?? null }
}
