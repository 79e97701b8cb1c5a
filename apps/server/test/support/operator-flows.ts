import type { Vaani } from '@vaani/client'
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '@vaani/test-services/until'
import { specimenPath } from './specimen-path.ts'

const LATER = '2027-06-01T09:30:00Z'

/** Tests the flows of operators and reviewers with the client that `current` returns, an operator's. */
export function testOperatorFlows({
  current,
  connect,
}: {
  current: () => Vaani
  /** Returns a client with another key. */
  connect: (apiKey: string) => Vaani
}): void {
  test('the server reports its health, its OpenAPI document and its languages', async () => {
    const vaani = current()
    expect(await vaani.system.health()).toMatchObject({ status: 'ok' })
    expect(await vaani.system.ready()).toMatchObject({ status: 'ok' })
    expect(await vaani.system.openapi()).toMatchObject({ openapi: '3.1.1' })
    expect((await vaani.speech.languages()).data).not.toEqual([])
  })

  test('accounts have keys, caller ids and agents', async () => {
    const { admin, calls } = current()
    const { account_id } = await admin.createAccount({ name: 'Branch', tier: 'starter' })
    expect(await admin.updateAccount(account_id, { tier: 'pro' })).toMatchObject({ tier: 'pro' })
    const { data: accounts } = await admin.listAccounts()
    expect(accounts).toContainEqual(expect.objectContaining({ account_id, name: 'Branch' }))

    const key = await admin.createKey({ account_id, name: 'reader', scopes: ['calls:read'] })
    const { data: keys } = await admin.listKeys({ account_id })
    expect(keys).toContainEqual(expect.objectContaining({ key_id: key.key_id }))

    const { caller_id_id } = await admin.addCallerId({ account_id, phone_number: '+9779812345670' })
    expect((await admin.listCallerIds({ account_id })).data).toHaveLength(1)
    await admin.removeCallerId(caller_id_id)
    expect((await admin.listCallerIds({ account_id })).data).toEqual([])

    const agent = { name: 'Guide', language: 'en-US', voice: 'nova', greeting: 'Good morning.' }
    const { agent_id } = await admin.upsertAgent('guide', agent)
    const { call_id } = await calls.place({ to: '+9779812345678', agent_id, scheduled_at: LATER })
    expect(await calls.cancel(call_id)).toMatchObject({ call_id, status: 'failed' })
  })

  test('a caller id is verified by a call with a code', async () => {
    const { callerIds } = current()
    const started = await callerIds.start({ phone_number: '+9779800000004' })
    const { caller_id_id, test_code = '' } = started
    expect(await callerIds.retrieve(caller_id_id)).toMatchObject({ status: 'pending' })
    expect(await callerIds.verify(caller_id_id, { code: test_code })).toMatchObject({ status: 'verified' })
    expect((await callerIds.list({ limit: 1 })).data).toMatchObject([{ caller_id_id, source: 'call' }])
    await callerIds.remove(caller_id_id)
  })

  test('do-not-call lists of the account and of the server are kept', async () => {
    const { doNotCall } = current()
    const phone_number = '+9779800000002'
    const csv = 'phone_number\n+9779800000003\n'
    const { listed_number_id } = await doNotCall.add({ phone_number })
    expect((await doNotCall.list({ phone_number })).data).toMatchObject([{ listed_number_id }])
    await doNotCall.remove(listed_number_id)
    expect(await doNotCall.importCsv({ csv })).toMatchObject({ refused: 0 })
    expect((await doNotCall.list({ limit: 1 })).data).toMatchObject([{ phone_number: '+9779800000003' }])
    await (await doNotCall.exportCsv()).bytes()
    const listed = await doNotCall.addForAll({ phone_number })
    expect((await doNotCall.listForAll({ phone_number })).data).toEqual([listed])
    await doNotCall.removeForAll(listed.listed_number_id)
    expect(await doNotCall.importCsvForAll({ csv })).toMatchObject({ refused: 0 })
    expect((await doNotCall.listForAll({ limit: 1 })).data).toHaveLength(1)
    await (await doNotCall.exportCsvForAll()).bytes()
  })

  test('members are invited, changed and removed, and the audit log says so', async () => {
    const { admin, members } = current()
    const { member_id } = await members.invite({ name: 'Asha', role: 'viewer' })
    expect(await members.update(member_id, { role: 'reviewer' })).toMatchObject({ role: 'reviewer' })
    expect(await members.inviteAgain(member_id, { reset: true })).toMatchObject({ status: 'invited' })
    expect(await members.retrieve(member_id)).toMatchObject({ name: 'Asha' })
    expect(await members.remove(member_id)).toMatchObject({ status: 'removed' })
    expect((await members.list()).data).toContainEqual(expect.objectContaining({ member_id }))
    const { data } = await admin.listAuditLog({ object_id: member_id })
    expect(data.map(({ action }) => action)).toEqual([
      'member.removed',
      'member.invited',
      'member.changed',
      'member.invited',
    ])
  })

  test('deployments are created, listed and revoked', async () => {
    const { admin } = current()
    const { account_id } = await admin.createAccount({ name: 'Hospital', tier: 'enterprise' })
    const { key } = await admin.createKey({ account_id, name: 'deployer', scopes: ['deploy:write'] })
    const { deployments } = connect(key)
    const request = { name: 'speech', base_model: 'synth-v1', target: 'kubernetes' } as const
    const { license, manifest, ...created } = await deployments.create({ ...request, replicas: 2 })
    expect(manifest).toContain(license)
    expect(created).toMatchObject({ ...request, status: 'ready', seats: 2, models: ['synth-v1'] })
    expect(await deployments.retrieve(created.deployment_id)).toEqual(created)
    const revoked = await deployments.revoke(created.deployment_id)
    expect(revoked).toMatchObject({ status: 'revoked' })
    expect((await deployments.list({ limit: 1 })).data).toEqual([revoked])
    expect((await deployments.issuer()).data).toHaveLength(1)
  })

  test('refused requests are listed and counted', async () => {
    const { calls, requests } = current()
    const refused = calls.retrieve(`call_${'0'.repeat(26)}`)
    await expect(refused).rejects.toMatchObject({ code: 'call_not_found' })
    const query = { code: 'call_not_found', operation: 'calls.retrieve' }
    const { data } = await until(
      () => requests.list(query),
      (page) => page.data.length > 0,
    )
    expect(data).toContainEqual(expect.objectContaining({ status: 404, route: '/agent/calls/{call_id}' }))
    const { groups } = await requests.summary()
    expect(groups).toContainEqual(expect.objectContaining(query))
  })

  describe('webhooks', () => {
    let receiver: Receiver
    beforeAll(async () => {
      receiver = await startReceiver()
    })
    afterAll(() => receiver?.[Symbol.asyncDispose]())

    test('are tested, looked up and resent', async () => {
      const { webhooks } = current()
      const since = new Date().toISOString()
      const { endpoint_id, secret } = await webhooks.createEndpoint({
        url: `${receiver.url}/hooks`,
        events: ['call.completed'],
      })
      expect(await webhooks.updateEndpoint(endpoint_id, { events: ['call.failed'] })).toMatchObject({
        events: ['call.failed'],
      })
      expect((await webhooks.rotateSecret(endpoint_id, { overlap_hours: 1 })).secret).not.toBe(secret)
      expect((await webhooks.rotateAccountSecret()).secret).not.toBe(secret)
      const { delivery_id } = await webhooks.sendTestEvent(endpoint_id, { type: 'call.failed' })
      const delivered = await until(
        () => webhooks.retrieveDelivery(delivery_id),
        ({ status }) => status === 'delivered',
      )
      expect(delivered.attempts).toHaveLength(1)
      const about = { endpoint_id, event_type: 'call.failed', created_after: since } as const
      expect((await webhooks.listDeliveries(about)).data).toMatchObject([{ delivery_id }])
      await webhooks.resend(delivery_id)
      await until(
        async () => receiver.deliveries.length,
        (count) => count === 2,
      )
      expect(await webhooks.recover({ since })).toEqual({ resent: 0 })
      expect(await webhooks.retrieveEndpoint(endpoint_id)).toMatchObject({
        enabled: true,
        failing_since: null,
      })
      await webhooks.deleteEndpoint(endpoint_id)
      expect((await webhooks.listEndpoints({ limit: 100 })).data).not.toContainEqual(
        expect.objectContaining({ endpoint_id }),
      )
    })
  })

  describe('verifications', () => {
    test('are submitted as a form, reviewed by a person and erased', async () => {
      const { identity } = current()
      const image = specimenPath('passport.jpg')
      const { verification_id } = await identity.submitV1({
        front_image: image,
        back_image: image,
        liveness_video: specimenPath('liveness.mp4'),
        external_id: 'test_review_glare',
      })
      // Poll the list, because reads of a single verification count toward its rate limit.
      await until(
        async () => (await identity.list({ limit: 100 })).data,
        (all) => all.some((one) => one.verification_id === verification_id && one.status === 'review'),
      )
      expect(await identity.retrieve(verification_id)).toMatchObject({ status: 'review' })
      expect(await identity.reconsider(verification_id, { policy: 'default' })).toMatchObject({
        status: 'review',
      })
      const { reviews } = current()
      const waiting = await reviews.list({ limit: 100 })
      expect(waiting.data.map(({ verification }) => verification.verification_id)).toContain(verification_id)
      const person = { reviewer: 'staff-7' }
      expect(await reviews.claim(verification_id, person)).toMatchObject({ claim: person })
      expect(await reviews.release(verification_id, person)).toMatchObject({ claim: null })
      expect(await reviews.claimNext(person)).toMatchObject({ review: { claim: person } })
      await reviews.addNote(verification_id, { note: 'Seen.', ...person })
      const picture = await reviews.media(verification_id, { artifact: 'front_image', ...person })
      expect(picture.contentType).toBe('image/jpeg')
      expect((await picture.bytes()).length).toBeGreaterThan(1000)
      expect((await reviews.frames(verification_id, person)).frames[0]).toMatchObject({
        time_ms: expect.any(Number),
      })
      expect((await reviews.history(verification_id, { limit: 1 })).data).toMatchObject([{ type: 'look' }])
      await reviews.release(verification_id, person)
      expect(await reviews.retrieve(verification_id)).toMatchObject({ claim: null, reviewers_needed: 1 })
      expect((await reviews.counts()).reviews).toBeGreaterThan(0)
      expect(await reviews.ask(verification_id, { artifact: 'front_image', problem: 'glare' })).toMatchObject(
        { waiting_for: 'person' },
      )
      expect(await identity.review(verification_id, { decision: 'declined', note: 'Glare.' })).toMatchObject({
        status: 'declined',
      })
      await identity.removeMedia(verification_id)
      await identity.eraseSubject('test_review_glare')
      expect((await identity.list({ limit: 100 })).data).toContainEqual(
        expect.objectContaining({ verification_id, status: 'declined' }),
      )
    })
  })
}
