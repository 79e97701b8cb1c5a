import { type CheckResult, type ReadDocument, SAME_PARTS } from '@vaani/identity-checks'
import type { Tx } from '@vaani/service-kit/database/connect'
import type { Vault } from '@vaani/service-kit/vault/vault'
import { type RawBuilder, sql } from 'kysely'
import type { VerificationRow } from './tables.ts'

/** What was submitted before: the media byte for byte, the document by its number, or a picture that looks the same. */
export interface Reuse {
  readonly code: 'media_reused' | 'document_reused' | 'media_resembles'
  /** Id of a verification that it was submitted for. */
  readonly earlier: string
}

/** Keyed digests of what was read from a document. They are stored and erased with those of its media. */
export interface DocumentDigests {
  /** Of the number with its issuer; null if it was not read with certainty. */
  readonly document: Buffer | null
  /** Of the likeness of the front, part by part. Backs are not compared, because those of many people look the same. */
  readonly likeness: readonly Buffer[]
}

export const NO_DIGESTS: DocumentDigests = { document: null, likeness: [] }

/**
 * Verifications looked at for each part of a likeness, in each range of external ids. In the order of the index, so that pictures
 * which thousands look like are among the first of all their parts.
 */
const MOST_OF_PART = 64

export function digestsOf(
  vault: Pick<Vault, 'startFingerprint'>,
  { account_id }: Pick<VerificationRow, 'account_id'>,
  { fields, likeness }: ReadDocument,
): DocumentDigests {
  const digest = (kind: string, content: string) =>
    vault.startFingerprint(`${account_id} ${kind}`).update(content).digest()
  return {
    document: fields?.document_number == null ? null : digest('document', documentOf(fields)),
    likeness: (likeness ?? []).map((part, index) => digest(`likeness ${index}`, part)),
  }
}

/** States of one country may issue licences with the same number, whose barcodes do not name the state in a common way. */
function documentOf({ mrz, ...fields }: NonNullable<ReadDocument['fields']>): string {
  const { issuing_country, document_type, document_number, date_of_birth } = fields
  return JSON.stringify([
    issuing_country,
    document_type,
    document_number,
    mrz === null ? date_of_birth : null,
  ])
}

type Submitted = Pick<VerificationRow, 'account_id' | 'livemode' | 'verification_id' | 'external_id'>

/**
 * Finds what was submitted before. A lock per account and mode lets no two verifications overlook each other, however close in
 * time they are decided. Must run in the transaction that decides.
 */
export async function findReuse(
  tx: Tx,
  row: Submitted,
  { document, likeness }: DocumentDigests,
): Promise<Reuse | null> {
  const { account_id, livemode, verification_id, external_id } = row
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${account_id}:${livemode}`}, 6))`.execute(tx)
  const media = await tx
    .selectFrom('media_fingerprints')
    .where('verification_id', '=', verification_id)
    .select('fingerprint')
    .execute()

  /** Selects up to `most` verifications of each range for each digest. */
  const find = (digests: readonly Buffer[], ranges: readonly RawBuilder<unknown>[], most: number) => {
    const found = ranges.map(
      (range) => sql`(
        select verification_id from media_fingerprints one
        where one.fingerprint = given.digest and one.livemode = ${livemode} and one.account_id = ${account_id}
          and one.verification_id <> ${verification_id} and ${range}
        order by one.external_id, one.verification_id limit ${most})`,
    )
    return sql`
      select found.verification_id from unnest(${digests}::bytea[]) as given (digest)
      cross join lateral (${sql.join(found, sql` union all `)}) found`
  }
  const firstOf = async (code: Reuse['code'], found: RawBuilder<unknown>): Promise<Reuse | null> => {
    const { rows } = await sql<{ verification_id: string }>`${found} limit 1`.execute(tx)
    return rows[0] === undefined ? null : { code, earlier: rows[0].verification_id }
  }

  const ofAnother =
    external_id === null
      ? [sql`one.external_id is not null`]
      : [
          sql`one.external_id < ${external_id}`,
          sql`one.external_id > ${external_id}`,
          sql`one.external_id is null`,
        ]
  // Without an external id, the same media may be from anybody. A document shows nothing then: it may be photographed again.
  const notSurelyOfSame = external_id === null ? [sql`true`] : ofAnother

  const files = media.map(({ fingerprint }) => fingerprint)
  const alike = sql`
    ${find(likeness, notSurelyOfSame, MOST_OF_PART)} group by found.verification_id having count(*) >= ${SAME_PARTS}`
  return (
    (await firstOf('media_reused', find(files, notSurelyOfSame, 1))) ??
    (document === null ? null : await firstOf('document_reused', find([document], ofAnother, 1))) ??
    (await firstOf('media_resembles', alike))
  )
}

/** Stores the digests, for verifications to come. Must run in the transaction of `findReuse`. */
export async function keepDigests(
  tx: Tx,
  { account_id, livemode, verification_id, external_id }: Submitted,
  { document, likeness }: DocumentDigests,
): Promise<void> {
  const digests = [...(document === null ? [] : [document]), ...likeness]
  if (digests.length === 0) return
  await tx
    .insertInto('media_fingerprints')
    .values(
      digests.map((fingerprint) => ({ account_id, livemode, fingerprint, verification_id, external_id })),
    )
    // Parts that are equal have different digests, so this is only for a step that is repeated.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const reuseResult = (reuse: Reuse | null): CheckResult => ({
  check: 'reused_media',
  outcome: reuse === null ? 'passed' : 'warning',
  code: reuse?.code ?? 'media_new',
  score: reuse === null ? 1 : 0,
  evidence: reuse === null ? {} : { earlier_verification: reuse.earlier },
  model: 'keyed-digest/2',
})
