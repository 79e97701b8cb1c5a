/** One account's submissions must not hold up another's. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Id, Verification } from '@vaani/contracts'
import { expect, test } from 'vitest'
import { startTestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const specimens = path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens')
const MANY = 6

test('a single submission is decided while most of another account’s burst still waits', async () => {
  await using server = await startTestServer()
  const [many, one] = [await server.createAccount(), await server.createAccount()]
  const passport = await readFile(path.join(specimens, 'passport.jpg'), 'base64')
  const body = {
    front_image_b64: passport,
    back_image_b64: passport,
    liveness_video_b64: await readFile(path.join(specimens, 'liveness.mp4'), 'base64'),
  }
  const submit = async (key: string) => {
    const answer = await server.json<Verification>('/identity/kyc/v2', { key, body })
    expect(answer.status).toBe(200)
    return answer.body
  }
  const countPending = async (accountId: Id<'account'>) => {
    const rows = await server.context.database
      .selectFrom('verifications')
      .where('account_id', '=', accountId)
      .where('status', '=', 'pending')
      .select('verification_id')
      .execute()
    return rows.length
  }
  await Promise.all(Array.from({ length: MANY }, () => submit(many.key)))
  const waiting = await countPending(many.accountId)
  await submit(one.key)
  await until(
    () => countPending(one.accountId),
    (count) => count === 0,
  )
  // The single submission takes about as long as one of the burst, whatever the order of arrival.
  expect(await countPending(many.accountId)).toBeGreaterThanOrEqual(waiting - 3)
  expect(waiting).toBeGreaterThan(3)
})
