import { type Kysely, sql } from 'kysely'

/**
 * Adds members. A member acts by a key of each mode that nobody holds, so that claims, votes, limits and the audit log name people as they
 * name programs. Such a key has no scopes: earlier versions, which do not know roles, let it do nothing.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table members (
      member_id text primary key,
      account_id text not null references accounts,
      name text not null,
      role text not null check (role in ('owner', 'developer', 'reviewer', 'viewer')),
      invitation_hash bytea unique check (length(invitation_hash) = 32),
      invitation_expires_at timestamptz,
      prefers_live boolean not null default false,
      joined_at timestamptz,
      signed_in_at timestamptz,
      sessions_since timestamptz,
      oidc_issuer text,
      oidc_subject text,
      created_at timestamptz not null,
      removed_at timestamptz,
      check ((oidc_issuer is null) = (oidc_subject is null)),
      check ((invitation_hash is null) = (invitation_expires_at is null))
    );
    create index members_of_account on members (account_id, member_id desc);
    create unique index members_by_oidc on members (oidc_issuer, oidc_subject) where oidc_subject is not null;

    alter table api_keys add column member_id text references members;
    alter table api_keys drop constraint api_keys_scopes_check;
    alter table api_keys add constraint api_keys_scopes_check
      check (cardinality(scopes) > 0 or member_id is not null) not valid;
    create unique index api_keys_of_member on api_keys (member_id, livemode) where member_id is not null;

    create table member_passkeys (
      credential_id bytea primary key,
      member_id text not null references members,
      host text not null,
      public_key bytea not null,
      uses bigint not null,
      created_at timestamptz not null
    );
    create index member_passkeys_of_member on member_passkeys (member_id);

    create table sign_in_challenges (
      challenge_hash bytea primary key check (length(challenge_hash) = 32),
      expires_at timestamptz not null
    );
    create index sign_in_challenges_by_expiry on sign_in_challenges (expires_at);
  `.execute(database)
}
