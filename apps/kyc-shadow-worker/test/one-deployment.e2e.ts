/** The primary and the candidate are one deployment, whose check for media that was shown before must not blame the shadow. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Vaani } from '@vaani/client'
import { createTestDatabase } from '@vaani/test-services'
import { findSpecimen, type RunningVaani, startServerProcess } from '@vaani/test-harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acceptedAs, findFreePort, type Form, formOf, spoolSubmission } from './support/spool-submission.ts'
import { openPlace, type RunningPairs, startPairs } from './support/start-pairs.ts'
import { until } from '@vaani/test-services/until'

const SERVER = fileURLToPath(new URL('../../server/src/testing/main.ts', import.meta.url))

const held = new AsyncDisposableStack()
let vaani: RunningVaani
/** Uses the key of the callers for everything. */
let worker: RunningPairs
let media: Record<'front_image' | 'back_image' | 'liveness_video', Buffer>

beforeAll(async () => {
  const database = held.use(await createTestDatabase())
  vaani = held.use(
    await startServerProcess(SERVER, {
      postgres: database.url,
      environment: { VAANI_IDENTITY_POLICY: 'document-only' },
    }),
  )
  const read = (specimen: Parameters<typeof findSpecimen>[0]) => readFile(findSpecimen(specimen, SERVER))
  media = {
    front_image: await read('passport.jpg'),
    back_image: await read('card-back.jpg'),
    liveness_video: await read('liveness.mp4'),
  }
  worker = await startWorker(vaani.key)
})
afterAll(() => held.disposeAsync())

async function startWorker(candidateApiKey: string): Promise<RunningPairs> {
  const { secret } = await new Vaani({
    apiKey: candidateApiKey,
    baseUrl: vaani.url,
  }).webhooks.rotateAccountSecret()
  const port = await findFreePort()
  // As an operator registers the worker for the callers' account. Reading the primary grows slower the longer its checks take.
  const endpoint = await vaani.client.webhooks.createEndpoint({
    url: `http://127.0.0.1:${port}/callbacks/primary`,
    events: ['verification.approved', 'verification.declined'],
  })
  return held.use(
    await startPairs({
      place: held.use(await openPlace()),
      clock: vaani.clock,
      config: {
        port,
        primaryUrl: new URL(vaani.url),
        candidateUrl: new URL(vaani.url),
        primaryApiKey: vaani.key,
        candidateApiKey,
        callbackBaseUrl: new URL(`http://127.0.0.1:${port}`),
        callbackSecrets: { candidate: [secret], primary: [endpoint.secret, secret] },
      },
    }),
  )
}

/** Submits as a caller does, and hands the submission to the worker. */
async function shadow(
  by: RunningPairs,
  externalId: string | null,
  kind: 'comparison' | 'noise' = 'comparison',
): Promise<string> {
  const form: Form = formOf({ ...(externalId !== null && { external_id: externalId }), ...media })
  const response = await fetch(`${vaani.url}/identity/kyc/v1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${vaani.key}`, 'content-type': form.contentType },
    body: new Uint8Array(form.body),
  })
  expect(response.status).toBe(200)
  const { verification_id: verificationId } = (await response.json()) as { verification_id: string }
  return spoolSubmission(by, form, { kind, answer: acceptedAs(verificationId, vaani.clock.nowMs()) })
}

const ended = (by: RunningPairs, pairId: string) =>
  until(
    () => by.pairs.find(pairId),
    (pair) => pair !== null && pair.outcome !== 'waiting',
  )

/** The submission of person-1, whom the deployment has seen with this media before. */
async function expectNoBlame(externalId: string | null, kind: 'comparison' | 'noise' = 'comparison') {
  const pair = await ended(worker, await shadow(worker, externalId, kind))
  expect(pair).toMatchObject({ outcome: 'agreed', severity: null, fields: { document_number: 'equal' } })
  expect(pair?.v2.ending).toBe(pair?.v1.ending)
  expect(pair?.v2.reason_codes).toEqual(pair?.v1.reason_codes)
  expect(await Array.fromAsync(worker.spool.list())).toEqual([])
  return pair
}

// In this order, because each adds to what the deployment has seen.
describe('media that one deployment is shown twice', () => {
  test('is not held against the shadow, because it comes with the same external id', async () => {
    expect(await expectNoBlame('person-1')).toMatchObject({
      v1: { ending: 'approved' },
      v2: { ending: 'approved', reason_codes: [], called_back: true },
    })
  })

  test('is not held against the second run of the same version', async () => {
    expect(await expectNoBlame('person-1', 'noise')).toMatchObject({ v2: { reason_codes: [] } })
  })

  test('is not held against v2 if the account of the shadow saw it of somebody else', async () => {
    const account = await vaani.client.admin.createAccount({ name: 'Shadow', tier: 'enterprise' })
    const { key } = await vaani.client.admin.createKey({
      account_id: account.account_id,
      name: 'shadow',
      scopes: ['identity:write', 'identity:read', 'admin'],
    })
    const { identity } = new Vaani({ apiKey: key, baseUrl: vaani.url })
    await identity.submit({ ...media, external_id: 'somebody-else' })
    const other = await startWorker(key)
    expect(await ended(other, await shadow(other, 'person-1'))).toMatchObject({
      outcome: 'agreed',
      v1: { ending: 'approved' },
      v2: { ending: 'review', reason_codes: ['media_reused'] },
    })
  })

  test('counts alike for both versions if it comes without an external id', async () => {
    expect(await expectNoBlame(null)).toMatchObject({ v2: { reason_codes: ['media_reused'] } })
  })
})
