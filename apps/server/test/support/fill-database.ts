import { namedIdSchema } from '@vaani/contracts'
import type { Pool } from 'pg'

/** The account that owns a fifth of all rows in a filled database. */
export const LARGEST_ACCOUNT = namedIdSchema('account', 'not_found').parse(`acct_${'0'.repeat(26)}`)
/** The endpoint of that account; all its deliveries belong to it, including the dead ones. */
export const LARGEST_ENDPOINT = `whe_${'0'.repeat(26)}`

/** SQL for an id like the server's, sortable by time: 48 bits of time in ten base-32 digits, then the remaining characters. */
const id = (prefix: string): string => {
  const digits = Array.from(
    { length: 10 },
    (_, place) =>
      `substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> ${45 - 5 * place} & 31)::integer + 1, 1)`,
  )
  return `'${prefix}_' || ${digits.join(' || ')} || 'f' || substr(md5(n::text), 1, 15)`
}

/**
 * One statement per table. Each row has a number `n`, an account number `a`, the account id and mode, and a time `at`, which is
 * `ms` since the epoch; the last row is from now. `$1` is the number of rows, `$2` the number of accounts, `$3` bytes sealed by
 * the vault.
 */
const FILLS: readonly { share: number; days: number; insert: string }[] = [
  {
    share: 0,
    days: 60,
    insert: `accounts (account_id, name, tier, rate_overrides, created_at)
      select 'acct_' || lpad(i::text, 26, '0'), 'Filled', 'pro', '{}', now() from generate_series(0, $2::bigint - 1) i`,
  },
  {
    share: 0,
    days: 60,
    insert: `agents (account_id, livemode, agent_id, name, language, voice, greeting)
      select 'acct_' || lpad(i::text, 26, '0'), livemode, agent, 'Guide', 'en-US', 'nova', 'Good morning.'
      from generate_series(0, $2::bigint - 1) i, unnest('{true,false}'::boolean[]) livemode,
        unnest('{reminder,survey,guide}'::text[]) agent`,
  },
  {
    share: 0,
    days: 60,
    insert: `lexicons (account_id, livemode, language, version, entries, entry_count, updated_at)
      select 'acct_' || lpad(i::text, 26, '0'), livemode, tag, 'v1', '[{"term":"KYC","spoken_as":"know your customer"}]', 1, now()
      from generate_series(0, $2::bigint - 1) i, unnest('{true,false}'::boolean[]) livemode,
        unnest('{en,en-US,ne-NP}'::text[]) tag`,
  },
  {
    share: 0,
    days: 60,
    insert: `model_usage (account_id, livemode, day, model, requests, requests_without_usage, prompt_tokens, completion_tokens)
      select 'acct_' || lpad(i::text, 26, '0'), livemode, current_date - day, 'chat-large', 1, 0, 1, 1
      from generate_series(0, $2::bigint - 1) i, unnest('{true,false}'::boolean[]) livemode, generate_series(0, 9) day`,
  },
  {
    share: 1,
    days: 30,
    insert: `stored_objects (account_id, livemode, kind, object_id, upstream, model, view, created_at, asked_at, ended_at)
      select account, livemode, case when n % 2 = 0 then 'file' else 'batch' end, 'stored-' || n, 'local', 'chat-large',
        json_build_object('id', 'stored-' || n), at, at, case when n % 2 = 1 then at end`,
  },
  {
    share: 0.1,
    days: 700,
    insert: `members (member_id, account_id, name, role, created_at, removed_at)
      select ${id('mem')}, account, 'Filled', 'viewer', at, case when n % 20 <> 0 then at end`,
  },
  {
    share: 0.1,
    days: 700,
    insert: `api_keys (key_id, account_id, name, hash, hint, scopes, livemode, created_at, revoked_at)
      select ${id('key')}, account, 'Filled', sha256(n::text::bytea), 'sk', '{calls:read}', livemode, at,
        case when n % 20 <> 0 then at end`,
  },
  {
    share: 0.1,
    days: 700,
    insert: `member_passkeys (credential_id, member_id, host, public_key, uses, created_at)
      select sha256(n::text::bytea), ${id('mem')}, 'localhost', sha256(n::text::bytea), 0, at`,
  },
  {
    share: 0.1,
    days: 7,
    insert: `console_sessions (secret_hash, account_id, key_id, created_at, used_at, expires_at)
      select sha256(n::text::bytea), account, ${id('key')}, at, at, at + interval '7 days'`,
  },
  {
    share: 0.1,
    days: 700,
    insert: `caller_ids (caller_id_id, account_id, livemode, phone_number, verified_at, removed_at)
      select ${id('cid')}, account, livemode, '+97798' || lpad(n::text, 8, '0'), at, case when n % 20 <> 0 then at end`,
  },
  {
    share: 0.05,
    days: 700,
    insert: `deployments (deployment_id, account_id, livemode, name, base_model, target, replicas, models, seats, created_at, expires_at, revoked_at)
      select ${id('dep')}, account, livemode, 'speech', 'synth-v1', 'docker', 1, '{synth-v1}', 1, at, at + interval '365 days',
        case when n % 20 = 0 then at end`,
  },
  {
    share: 0.1,
    days: 700,
    insert: `audit_log (happened_at, action, actor, account_id) select at, 'key.created', 'key_1', account`,
  },
  {
    share: 1,
    days: 30.3,
    insert: `calls (call_id, account_id, livemode, status, to_number, agent_id, scheduled_at, language, carrier, created_at,
        dial_started_at, lease_expires_at, answered_at, ended_at, failure_reason, recording_key, recording_data_key)
      select ${id('call')}, account, livemode, status, '+9779812345678', 'reminder',
        case when status = 'queued' then now() + interval '200 days' end, 'en-US', 'loopback', at,
        case when status <> 'queued' then at end, case when status <> 'queued' then at end,
        case when status = 'completed' then at end, case when status <> 'queued' then at end,
        case when status = 'failed' then 'no-answer' end,
        case when status = 'completed' then 'recordings/' || n end, case when status = 'completed' then $3::bytea end`,
  },
  {
    share: 0,
    days: 30.3,
    insert: `call_transcripts (call_id, turns) select call_id, $3::bytea from calls where status = 'completed'`,
  },
  {
    share: 1,
    days: 30.3,
    insert: `verifications (verification_id, account_id, livemode, version, status, external_id, store_media, data_key,
        artifacts, policy, extracted, created_at, decided_at, reviewed_by)
      select ${id('ver')}, account, livemode and n % 1000 <> 1,  2, verdict,
        case when verdict = 'pending' then 'test_pending_forever' else 'person ' || n % ($1::bigint / 4) end, true, $3::bytea,
        '[]', 'default', $3::bytea, at, case when verdict in ('approved', 'declined') then at end, null`,
  },
  {
    share: 1,
    days: 700,
    insert: `media_fingerprints (account_id, livemode, fingerprint, verification_id, external_id)
      select account, livemode, sha256(n::text::bytea), ${id('ver')}, 'person ' || n`,
  },
  {
    share: 1,
    days: 30.3,
    insert: `review_entries (entry_id, verification_id, type, key_id, reviewer, decision, artifact, created_at)
      select ${id('rev')}, ${id('ver')}, case when n % 2 = 0 then 'vote' else 'look' end, 'key_1', 'staff-7',
        case when n % 2 = 0 then 'approved' end, case when n % 2 = 1 then 'front_image' end, at`,
  },
  {
    share: 1,
    days: 30.3,
    insert: `review_reasons (account_id, livemode, awaits_person, code, policy, verification_id)
      select account, livemode, n % 2 = 0, 'reason_' || n % 20, 'default', ${id('ver')}`,
  },
  {
    share: 0.1,
    days: 700,
    insert: `voices (voice_id, account_id, livemode, name, language, state, data_key, voice, recordings, consent_key_id,
        consented_at, created_at)
      select ${id('vox')}, account, livemode, 'Filled', 'en-US', 'ready', $3::bytea, $3::bytea, 1, 'key_1', at, at`,
  },
  {
    share: 1,
    days: 60.6,
    insert: `events (event_id, account_id, livemode, type, object_id, body, created_at)
      select ${id('evt')}, account, livemode, 'call.completed', ${id('call')}, '{}', at`,
  },
  {
    share: 0.1,
    days: 700,
    insert: `webhook_endpoints (endpoint_id, account_id, livemode, url, events, enabled, disabled_at, disabled_reason,
        created_at, deleted_at)
      select ${id('whe')}, account, livemode, 'https://example.com/hooks', '{call.completed}', false, at, 'requested', at,
        case when n % 20 <> 0 then at end`,
  },
  {
    share: 0.1,
    days: 700,
    insert: `webhook_secrets (owner_id, account_id, livemode, sealed) select ${id('whe')}, account, livemode, $3::bytea`,
  },
  {
    share: 1,
    days: 30.3,
    insert: `webhook_deliveries (delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type, object_id,
        sequence, status, dead_reason, created_at, url)
      select ${id('dlv')}, account, livemode, 'whe_' || lpad(a::text, 26, '0'), 'whe_' || lpad(a::text, 26, '0'), ${id('evt')},
        'call.completed', ${id('call')}, n, case when n % 50 = 0 then 'dead' else 'delivered' end,
        case when n % 50 = 0 then 'gone' end, at, 'https://example.com/hooks'`,
  },
  {
    share: 0.1,
    days: 1,
    insert: `webhook_pending (delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type, object_id,
        sequence, is_next, queued_at, next_attempt_at, expires_at, created_at)
      select ${id('dlv')}, account, livemode, 'whe_' || lpad(a::text, 26, '0'), 'whe_' || lpad(a::text, 26, '0'), ${id('evt')},
        'call.completed', ${id('call')}, n, true, at, now() + interval '9 days', now() + interval '10 days', at`,
  },
  {
    share: 0,
    days: 1,
    insert: `webhook_endpoints (endpoint_id, account_id, livemode, url, events, created_at)
      select 'whe_' || lpad(i::text, 26, '0'), 'acct_' || lpad(i::text, 26, '0'), false, 'http://127.0.0.1:9/', '{call.completed}',
        now()
      from generate_series(0, $2::bigint - 1) i`,
  },
  {
    share: 0,
    days: 1,
    insert: `webhook_lanes (lane_id, due_at)
      select 'whe_' || lpad(i::text, 26, '0'), now() + interval '9 days' from generate_series(0, $2::bigint - 1) i`,
  },
  {
    share: 1,
    days: 30.3,
    insert: `batches (batch_id, account_id, livemode, key_id, endpoint, status, failure_reason, data_key, total, succeeded,
        created_at, received_at, expires_at, completed_at)
      select ${id('batch')}, account, livemode, 'key_1', '/v1/chat/completions', status,
        case when status = 'failed' then 'expired' end, $3::bytea, 1, 1, at, at, now() + interval '9 days',
        case when status <> 'queued' then at end`,
  },
  {
    share: 1,
    days: 30.3,
    insert: `batch_requests (batch_id, position, ended_sequence, result) select ${id('batch')}, 0, n, $3::bytea`,
  },
  {
    share: 1,
    days: 1,
    insert: `documents (document_id, account_id, livemode, status, failure_reason, language, data_key, total, read,
        created_at, expires_at, completed_at)
      select ${id('doc')}, account, livemode, status, case when status = 'failed' then 'expired' end, 'en', $3::bytea, 1, 1, at,
        at + interval '9 days', case when status <> 'queued' then at end`,
  },
  {
    share: 1,
    days: 1,
    insert: `document_pages (document_id, number, outcome, result, bytes) select ${id('doc')}, 1, 'read', $3::bytea, 100`,
  },
  {
    share: 1,
    days: 370,
    insert: `watermarks (payload, account_id, livemode, request_id, created_at)
      select n, account, livemode, ${id('req')}, at`,
  },
  {
    share: 1,
    days: 1.01,
    insert: `idempotency_keys (account_id, livemode, key, fingerprint, status, body, locked_until, created_at)
      select account, livemode, 'key ' || n, '\\x00', 201, '{}', at, at`,
  },
  {
    share: 1,
    days: 7.1,
    insert: `refused_requests (refusal_id, account_id, livemode, request_id, key_id, operation, method, route, status, code,
        duration_ms, created_at)
      select ${id('rfs')}, account, livemode, ${id('req')}, 'key_' || lpad((n % 7)::text, 26, '0'), case when n % 1000 = 1 then 'calls.cancel' else 'calls.place' end,
        'POST', '/agent/calls', case when n % 1000 = 2 then 409 else 422 end, case when n % 1000 = 3 then 'state_conflict' else 'invalid_phone' end,
        3, at`,
  },
  {
    share: 0.1,
    days: 2,
    insert: `caller_id_verifications (caller_id_id, account_id, livemode, phone_number, language, carrier, rings, created_at, expires_at, call_ended_at)
      select ${id('cid')}, account, livemode, '+97798' || lpad((n / 3)::text, 8, '0'), 'en-US', 'simulator', n % 2 = 0, at,
        at + interval '10 minutes', at + interval '1 minute'`,
  },
  {
    share: 1,
    days: 2,
    insert: `line_attempts (account_id, phone_number, day, attempts)
      select account, '+97798' || lpad(n::text, 8, '0'), at::date, 1 + n % 3`,
  },
  {
    share: 1,
    days: 700,
    insert: `do_not_call (listed_number_id, account_id, livemode, phone_number, source, created_at)
      select ${id('dnc')}, case when n % 2 = 0 then account end, case when n % 2 = 0 then livemode end,
        '+97798' || lpad(n::text, 8, '0'), 'added', at`,
  },
]

const tableOf = (insert: string): string => insert.split(' ')[0] ?? ''

/** Tables that grow with use, and whose rows are removed by age or never. */
export const FILLED_TABLES: readonly string[] = FILLS.map(({ insert }) => tableOf(insert))

const CHUNK_ROWS = 100_000

/** Fills the tables as years of use would, or some of them, with accounts of all sizes, then vacuums and analyzes them. */
export async function fillDatabase(
  pool: Pool,
  options: { rows: number; accounts: number; sealed: Buffer; tables?: readonly string[] },
): Promise<void> {
  const { rows, accounts, sealed, tables = FILLED_TABLES } = options
  const client = await pool.connect()
  try {
    // Skip the foreign-key checks: the rows are consistent, and each key would cost a lookup.
    await client.query('set session_replication_role = replica')
    for (const { share, days, insert } of FILLS.filter(({ insert }) => tables.includes(tableOf(insert)))) {
      const total = Math.ceil(rows * share)
      for (let first = 1; first <= Math.max(1, total); first += CHUNK_ROWS)
        await client.query(
          share === 0 ? withNumbers(insert) : `${withNumbers(insert)} ${source({ first, total, days })}`,
          [rows, accounts, sealed],
        )
    }
    await client.query('reset session_replication_role')
    await client.query('vacuum analyze')
  } finally {
    client.release()
  }
}

/** Makes the statement use every parameter, because Postgres cannot infer the type of an unused one. */
const withNumbers = (insert: string): string =>
  `with given as (select $1::bigint, $2::bigint, $3::bytea) insert into ${insert}`

const source = ({ first, total, days }: { first: number; total: number; days: number }): string => `
  from (
    select n, a, ms, to_timestamp(ms / 1000.0::float8) as at, 'acct_' || lpad(a::text, 26, '0') as account, n % 3 = 0 as livemode,
      case when n % 5000 = 1 then 'queued' when n % 40 = 0 then 'failed' else 'completed' end as status,
      case when n % 1000 = 1 then 'pending' when n % 20 = 0 then 'review' when n % 5 = 1 then 'declined' else 'approved' end
        as verdict
    from (
      select n, floor($2::bigint * power((n * 7919 % 10007) / 10007.0::float8, 3))::bigint as a,
        (extract(epoch from now()) * 1000)::bigint - (${total} - n) * ${days * 86_400_000} / ${total} as ms
      from (select ${first}::bigint + generate_series(0, ${Math.min(CHUNK_ROWS, total - first + 1) - 1}) as n) counted
      offset 0
    ) numbered
  ) one`
