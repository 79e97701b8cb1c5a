import type {
  BATCH_STATUSES,
  CALL_STATUSES,
  DOCUMENT_STATUSES,
  DELIVERY_STATUSES,
  MEMBER_STATUSES,
  VERIFICATION_STATUSES,
} from '@vaani/contracts'
import type { Tenant } from '@vaani/service-kit/tenant'
import { makeDataKey } from '@vaani/service-kit/vault/data-key'
import type { Insertable, Updateable } from 'kysely'
import type { BatchTable } from '../../src/features/batches/tables.ts'
import type { CallTable } from '../../src/features/calls/tables.ts'
import type { VerificationTable } from '../../src/features/identity/tables.ts'
import type { DocumentTable } from '../../src/features/ocr/tables.ts'
import type { WebhookDeliveryTable } from '../../src/features/webhooks/tables.ts'
import { insertMember, updateMemberRow } from '../../src/tenancy/member-rows.ts'
import type { MemberTable } from '../../src/tenancy/tables.ts'
import type { TestServer } from './test-server.ts'

/** Writes a tenant's object in a given state, as the server would have left it, and returns its id. */
export type WriteObject = (server: TestServer, tenant: Tenant) => Promise<string>

const WORKER = 'worker-of-a-test'
const TO = '+9779812345678'
const ONE_MINUTE_MS = 60_000

const writeCall =
  (changes: (now: Date) => Partial<Insertable<CallTable>>): WriteObject =>
  async ({ context }, { accountId, livemode }) => {
    const now = new Date(context.clock.nowMs())
    const call_id = context.makeId('call')
    await context.database
      .insertInto('calls')
      .values({
        call_id,
        account_id: accountId,
        livemode,
        status: 'queued',
        to_number: TO,
        agent_id: 'reminder',
        language: 'en-US',
        carrier: 'simulator',
        created_at: now,
        ...changes(now),
      })
      .execute()
    return call_id
  }

const held = (now: Date) => ({
  worker_id: WORKER,
  lease_expires_at: new Date(now.getTime() + ONE_MINUTE_MS),
})
const dialled = (now: Date) => ({ ...held(now), dial_started_at: now })

const writeVerification =
  (changes: (now: Date) => Partial<Insertable<VerificationTable>>): WriteObject =>
  async ({ context }, { accountId, livemode }) => {
    const now = new Date(context.clock.nowMs())
    const verification_id = context.makeId('verification')
    await context.database
      .insertInto('verifications')
      .values({
        verification_id,
        account_id: accountId,
        livemode,
        version: 2,
        status: 'pending',
        // No worker claims a verification with this sandbox id.
        external_id: 'test_pending_forever',
        store_media: true,
        artifacts: '[]',
        checks: '[]',
        reasons: '[]',
        policy: 'default',
        data_key: makeDataKey(context.vault, verification_id).sealed,
        created_at: now,
        ...changes(now),
      })
      .execute()
    return verification_id
  }

const deliveryOf = ({ context }: TestServer, { accountId, livemode }: Tenant, endpointId: string) => ({
  delivery_id: context.makeId('delivery'),
  account_id: accountId,
  livemode,
  lane_id: endpointId,
  endpoint_id: endpointId,
  event_id: context.makeId('event'),
  event_type: 'call.queued' as const,
  object_id: context.makeId('call'),
  sequence: '1',
  created_at: new Date(context.clock.nowMs()),
})

const writePending: WriteObject = async (server, tenant) => {
  const row = deliveryOf(server, tenant, await writeEndpoint(true)(server, tenant))
  const now = row.created_at
  const times = { queued_at: now, next_attempt_at: now, expires_at: new Date(now.getTime() + ONE_MINUTE_MS) }
  await server.context.database
    .insertInto('webhook_pending')
    .values({ ...row, ...times, url: null, is_next: true })
    .execute()
  return row.delivery_id
}

const writeEnded =
  (end: Pick<Insertable<WebhookDeliveryTable>, 'status' | 'dead_reason'>): WriteObject =>
  async (server, tenant) => {
    const row = deliveryOf(server, tenant, await writeEndpoint(true)(server, tenant))
    await server.context.database
      .insertInto('webhook_deliveries')
      .values({ ...row, ...end, url: 'https://example.com/hooks' })
      .execute()
    return row.delivery_id
  }

const writeEndpoint =
  (enabled: boolean): WriteObject =>
  async ({ context }, { accountId, livemode }) => {
    const endpoint_id = context.makeId('endpoint')
    const now = new Date(context.clock.nowMs())
    await context.database
      .insertInto('webhook_endpoints')
      .values({
        endpoint_id,
        account_id: accountId,
        livemode,
        url: 'https://example.com/hooks',
        events: ['call.queued'],
        enabled,
        disabled_at: enabled ? null : now,
        disabled_reason: enabled ? null : 'requested',
        created_at: now,
      })
      .execute()
    return endpoint_id
  }

const writeKey =
  (revoked: boolean): WriteObject =>
  async ({ context }, { accountId, livemode }) => {
    const now = new Date(context.clock.nowMs())
    const key_id = context.makeId('key')
    await context.database
      .insertInto('api_keys')
      .values({
        key_id,
        account_id: accountId,
        name: 'Written',
        hash: Buffer.from(crypto.getRandomValues(new Uint8Array(32))),
        hint: 'sk_test_0000',
        scopes: ['calls:read'],
        livemode,
        created_at: now,
        revoked_at: revoked ? now : null,
        member_id: null,
      })
      .execute()
    return key_id
  }

const writeMember =
  (changesAt: (now: Date) => Updateable<MemberTable>): WriteObject =>
  ({ context: { clock, database, makeId } }, { accountId, livemode }) =>
    database.transaction().execute(async (tx) => {
      const now = new Date(clock.nowMs())
      const member = { accountId, name: 'Written', role: 'viewer', livemode } as const
      const memberId = await insertMember(tx, { makeId, now, ...member })
      await updateMemberRow(tx, memberId, { signed_in_at: null, ...changesAt(now) })
      return memberId
    })

const writeCallerId =
  (removed: boolean): WriteObject =>
  async ({ context }, { accountId, livemode }) => {
    const now = new Date(context.clock.nowMs())
    const caller_id_id = context.makeId('caller_id')
    await context.database
      .insertInto('caller_ids')
      .values({
        caller_id_id,
        account_id: accountId,
        livemode,
        source: 'operator',
        phone_number: `+97798${String(Math.trunc(now.getTime() % 1e8)).padStart(8, '0')}`,
        verified_at: now,
        removed_at: removed ? now : null,
      })
      .execute()
    return caller_id_id
  }

const writeUnverified =
  (failure_reason: 'busy' | null): WriteObject =>
  async ({ context }, { accountId, livemode }) => {
    const nowMs = context.clock.nowMs()
    const caller_id_id = context.makeId('caller_id')
    await context.database
      .insertInto('caller_id_verifications')
      .values({
        caller_id_id,
        account_id: accountId,
        livemode,
        phone_number: `+97797${String(nowMs % 1e8).padStart(8, '0')}`,
        language: 'en-US',
        carrier: 'simulator',
        rings: false,
        created_at: new Date(nowMs),
        expires_at: new Date(nowMs + 600_000),
        worker_id: null,
        call_ended_at: new Date(nowMs),
        failure_reason,
        verified_at: null,
        removed_at: null,
      })
      .execute()
    return caller_id_id
  }

const writeBatch =
  (changes: (now: Date) => Partial<Insertable<BatchTable>>): WriteObject =>
  async ({ context }, { accountId, livemode }) => {
    const now = new Date(context.clock.nowMs())
    const batch_id = context.makeId('batch')
    await context.database
      .insertInto('batches')
      .values({
        batch_id,
        account_id: accountId,
        livemode,
        key_id: context.makeId('key'),
        endpoint: '/v1/chat/completions',
        status: 'queued',
        failure_reason: null,
        callback_url: null,
        data_key: makeDataKey(context.vault, batch_id).sealed,
        // Its request does not exist, so no worker can end it.
        total: 1,
        created_at: now,
        received_at: now,
        expires_at: new Date(now.getTime() + 60 * ONE_MINUTE_MS),
        completed_at: null,
        traceparent: null,
        ...changes(now),
      })
      .execute()
    return batch_id
  }

const writeDocument =
  (changes: (now: Date) => Partial<Insertable<DocumentTable>>): WriteObject =>
  async ({ context }, { accountId, livemode }) => {
    const now = new Date(context.clock.nowMs())
    const document_id = context.makeId('document')
    await context.database
      .insertInto('documents')
      .values({
        document_id,
        account_id: accountId,
        livemode,
        status: 'queued',
        failure_reason: null,
        language: 'en',
        data_key: makeDataKey(context.vault, document_id).sealed,
        // Its page does not exist, so no worker can end it.
        total: 1,
        created_at: now,
        expires_at: new Date(now.getTime() + 60 * ONE_MINUTE_MS),
        completed_at: null,
        traceparent: null,
        ...changes(now),
      })
      .execute()
    return document_id
  }

const writeDeployment =
  (revoked: boolean): WriteObject =>
  async ({ context }, { accountId, livemode }) => {
    const now = new Date(context.clock.nowMs())
    const deployment_id = context.makeId('deployment')
    await context.database
      .insertInto('deployments')
      .values({
        deployment_id,
        account_id: accountId,
        livemode,
        name: 'speech',
        base_model: 'synth-v1',
        target: 'docker',
        replicas: 1,
        models: ['synth-v1'],
        seats: 1,
        created_at: now,
        expires_at: new Date(now.getTime() + 60 * ONE_MINUTE_MS),
        revoked_at: revoked ? now : null,
      })
      .execute()
    return deployment_id
  }

const writeVoice: WriteObject = async ({ context }, { accountId, livemode }) => {
  const now = new Date(context.clock.nowMs())
  const voice_id = context.makeId('voice')
  await context.database
    .insertInto('voices')
    .values({
      voice_id,
      account_id: accountId,
      livemode,
      name: 'Written',
      language: null,
      state: 'ready',
      data_key: Buffer.from('sealed'),
      voice: Buffer.from('sealed'),
      // They are gone already.
      recordings: 0,
      consent_key_id: context.makeId('key'),
      consented_at: now,
      created_at: now,
    })
    .execute()
  return voice_id
}

/** The states of objects that requests alone cannot bring about, keyed by the path parameter that names their kind. */
export const STATES = {
  call_id: {
    queued: writeCall(() => ({})),
    'queued, being dialled': writeCall(dialled),
    'in-progress': writeCall((now) => ({ ...dialled(now), status: 'in-progress', answered_at: now })),
    completed: writeCall((now) => ({
      ...dialled(now),
      status: 'completed',
      answered_at: now,
      ended_at: now,
      duration_seconds: 1,
      ended_by: 'agent',
      quality: JSON.stringify({
        mos: 4.12,
        packets_sent: 50,
        packets_received: 48,
        lost_fraction: 0.04,
        jitter_ms: 3.1,
        round_trip_ms: 41.3,
        remote_lost_fraction: 0,
        remote_jitter_ms: 0.4,
      }),
    })),
    failed: writeCall((now) => ({ status: 'failed', ended_at: now, failure_reason: 'canceled' })),
    'failed, refused by the line': writeCall((now) => ({
      ...dialled(now),
      status: 'failed',
      ended_at: now,
      failure_reason: 'busy',
      sip_status: 486,
      q850_cause: 17,
    })),
  } satisfies Record<(typeof CALL_STATUSES)[number], WriteObject> & Record<string, WriteObject>,
  verification_id: {
    pending: writeVerification(() => ({})),
    'pending, being checked': writeVerification(held),
    review: writeVerification(() => ({ status: 'review' })),
    approved: writeVerification((now) => ({ status: 'approved', decided_at: now })),
    declined: writeVerification((now) => ({ status: 'declined', decided_at: now })),
    'declined, its media erased': writeVerification((now) => ({
      status: 'declined',
      decided_at: now,
      data_key: null,
      media_erased_at: now,
    })),
  } satisfies Record<(typeof VERIFICATION_STATUSES)[number], WriteObject> & Record<string, WriteObject>,
  member_id: {
    invited: writeMember(() => ({})),
    active: writeMember((now) => ({ joined_at: now })),
    removed: writeMember((now) => ({ removed_at: now })),
  } satisfies Record<(typeof MEMBER_STATUSES)[number], WriteObject>,
  delivery_id: {
    pending: writePending,
    delivered: writeEnded({ status: 'delivered', dead_reason: null }),
    dead: writeEnded({ status: 'dead', dead_reason: 'gone' }),
  } satisfies Record<(typeof DELIVERY_STATUSES)[number], WriteObject>,
  batch_id: {
    queued: writeBatch(() => ({})),
    running: writeBatch(() => ({ status: 'running' })),
    completed: writeBatch((now) => ({ status: 'completed', succeeded: 1, completed_at: now })),
    failed: writeBatch((now) => ({ status: 'failed', failure_reason: 'expired', completed_at: now })),
    canceled: writeBatch((now) => ({ status: 'canceled', completed_at: now })),
  } satisfies Record<(typeof BATCH_STATUSES)[number], WriteObject>,
  document_id: {
    queued: writeDocument(() => ({})),
    processing: writeDocument(() => ({ status: 'processing' })),
    completed: writeDocument((now) => ({ status: 'completed', read: 1, completed_at: now })),
    failed: writeDocument((now) => ({ status: 'failed', failure_reason: 'expired', completed_at: now })),
  } satisfies Record<(typeof DOCUMENT_STATUSES)[number], WriteObject>,
  deployment_id: { ready: writeDeployment(false), revoked: writeDeployment(true) },
  endpoint_id: { enabled: writeEndpoint(true), disabled: writeEndpoint(false) },
  key_id: { active: writeKey(false), revoked: writeKey(true) },
  caller_id_id: {
    verified: writeCallerId(false),
    removed: writeCallerId(true),
    pending: writeUnverified(null),
    failed: writeUnverified('busy'),
  },
  voice_id: { ready: writeVoice },
} as const satisfies Record<string, Record<string, WriteObject>>
