import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { type MemberRow, lockMember } from '../../../tenancy/member-rows.ts'
import { acceptInvitation, noteSignIn, requireInvited } from '../accept-invitation.ts'
import { CHALLENGE_MS, type ChallengeStore } from '../challenge-store.ts'
import { type SessionKey, sessionKeyOf } from '../session-key.ts'
import type { PasskeyStore } from './passkey-store.ts'
import { ALGORITHMS, checkAnswer, checkMade, notAccepted } from './check-passkey.ts'
import { loadWebAuthn } from './load-web-authn.ts'

/** Signing in by passkey. An origin is that of the console's page, as the browser says. */
export interface Passkeys {
  /** Begins to make a passkey for the member of an invitation. @throws ApiError `unauthorized` */
  beginToMake(
    origin: URL,
    invitation: string,
  ): Promise<{ name: string; options: PublicKeyCredentialCreationOptionsJSON }>
  /** Keeps the passkey, and uses the invitation up. @throws ApiError `unauthorized` */
  keep(origin: URL, invitation: string, made: RegistrationResponseJSON): Promise<SessionKey>
  /** Begins to ask for a passkey of any member. */
  beginToAsk(origin: URL): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** Signs in its member. @throws ApiError `unauthorized` */
  signIn(origin: URL, answer: AuthenticationResponseJSON): Promise<SessionKey>
}

export function createPasskeys({
  database,
  clock,
  makeId,
  store,
  challenges,
}: {
  database: Db
  clock: Clock
  makeId: IdMaker
  store: PasskeyStore
  challenges: ChallengeStore
}): Passkeys {
  /** A challenge as bytes, which the library sends as the same text. */
  const createChallenge = async () => Uint8Array.from(Buffer.from(await challenges.create(), 'base64url'))
  const inTransaction = (act: (tx: Tx) => Promise<MemberRow>): Promise<SessionKey> =>
    database.transaction().execute(async (tx) => sessionKeyOf(await act(tx)))

  return {
    async beginToMake(origin, invitation) {
      const { member_id, name } = await requireInvited(database, invitation, clock)
      const known = await store.listOf(member_id)
      const { generateRegistrationOptions } = await loadWebAuthn()
      const options = await generateRegistrationOptions({
        rpName: `Vaani (${origin.host})`,
        rpID: origin.hostname,
        userName: name,
        userID: new Uint8Array(Buffer.from(member_id)),
        challenge: await createChallenge(),
        timeout: CHALLENGE_MS,
        supportedAlgorithmIDs: ALGORITHMS,
        attestationType: 'none',
        excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id.toString('base64url') })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return { name, options }
    },
    async keep(origin, invitation, made) {
      const { id, publicKey, counter } = await checkMade(challenges, origin, made)
      return inTransaction(async (tx) => {
        const member = await acceptInvitation(tx, invitation, { clock, makeId })
        const isNew = await store.add(tx, {
          credential_id: Buffer.from(id, 'base64url'),
          member_id: member.member_id,
          host: origin.hostname,
          public_key: Buffer.from(publicKey),
          uses: String(counter),
          created_at: new Date(clock.nowMs()),
        })
        if (!isNew) throw notAccepted()
        return member
      })
    },
    async beginToAsk(origin) {
      const { generateAuthenticationOptions } = await loadWebAuthn()
      return generateAuthenticationOptions({
        rpID: origin.hostname,
        challenge: await createChallenge(),
        timeout: CHALLENGE_MS,
        userVerification: 'required',
      })
    },
    async signIn(origin, answer) {
      const passkey = await store.find(Buffer.from(answer.id, 'base64url'))
      if (passkey === undefined || passkey.host !== origin.hostname) throw notAccepted()
      const uses = await checkAnswer(challenges, { origin, answer, passkey })
      return inTransaction(async (tx) => {
        const member = await lockMember(tx, passkey.member_id)
        // A member may be removed, or a passkey ended, while it is checked.
        if (member === undefined || member.removed_at !== null) throw notAccepted()
        if (!(await store.noteUse(tx, passkey.credential_id, uses))) throw notAccepted()
        await noteSignIn(tx, member, clock)
        return member
      })
    },
  }
}
