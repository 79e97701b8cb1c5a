import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { Clock } from '@vaani/service-kit/clock'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { writeAudit } from '../../../tenancy/audit-log.ts'
import type { SessionKey } from '../port.ts'
import type { MemberRow, MemberStore } from '../store.ts'
import { CHALLENGE_MS, type PasskeyStore } from './passkey-store.ts'

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

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')
/** Key by which the member works in the mode of their last session. */
export const sessionKeyOf = (member: MemberRow): SessionKey => ({
  account_id: member.account_id,
  key_id:
    member.prefers_live && member.livemode && member.live_key_id !== null
      ? member.live_key_id
      : member.test_key_id,
})

export function createPasskeys(options: {
  database: Db
  clock: Clock
  members: MemberStore
  store: PasskeyStore
}): Passkeys {
  const { database, clock, members, store } = options

  async function requireInvited(from: Db, invitation: string): Promise<MemberRow> {
    const member = await members.findInvited(from, invitation)
    if (member === undefined)
      throw new ApiError('unauthorized', 'invitation: was used, replaced, or is too old', {
        param: 'invitation',
      })
    return member
  }

  const createChallenge = async (): Promise<Buffer<ArrayBuffer>> => {
    const challenge = randomBytes(32)
    await store.addChallenge(challenge.toString('base64url'))
    return challenge
  }

  async function noteSignIn(tx: Tx, member: MemberRow): Promise<void> {
    const now = new Date(clock.nowMs())
    await members.change(tx, member.member_id, { signed_in_at: now, joined_at: member.joined_at ?? now })
  }

  return {
    async beginToMake(origin, invitation) {
      const member = await requireInvited(database, invitation)
      const known = await store.listOf(member.member_id)
      return {
        name: member.name,
        options: await generateRegistrationOptions({
          rpName: `Vaani (${origin.host})`,
          rpID: origin.hostname,
          userName: member.name,
          userID: new Uint8Array(Buffer.from(member.member_id)),
          challenge: await createChallenge(),
          timeout: CHALLENGE_MS,
          attestationType: 'none',
          excludeCredentials: known.map(({ credential_id }) => ({
            id: credential_id.toString('base64url'),
          })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        }),
      }
    },
    async keep(origin, invitation, made) {
      const verified = await verify(() =>
        verifyRegistrationResponse({
          response: made,
          expectedChallenge: (challenge) => store.takeChallenge(challenge),
          expectedOrigin: origin.origin,
          expectedRPID: origin.hostname,
        }),
      )
      if (!verified.verified) throw notAccepted()
      const { credential } = verified.registrationInfo
      return database.transaction().execute(async (tx) => {
        const { member_id } = await requireInvited(tx, invitation)
        // Of two who use an invitation at once, the second waits here, and then finds it used.
        await members.lock(tx, member_id, null)
        const member = await requireInvited(tx, invitation)
        const now = new Date(clock.nowMs())
        const isNew = await store.add(tx, {
          credential_id: bytesOf(credential.id),
          member_id,
          host: origin.hostname,
          public_key: Buffer.from(credential.publicKey),
          uses: String(credential.counter),
          created_at: now,
        })
        if (!isNew) throw notAccepted()
        await members.change(tx, member_id, { invitation_hash: null, invitation_expires_at: null })
        await noteSignIn(tx, member)
        await writeAudit(tx, {
          happened_at: now,
          action: 'member.joined',
          actor: member.test_key_id,
          account_id: member.account_id,
          key_id: member.test_key_id,
        })
        return sessionKeyOf(member)
      })
    },
    async beginToAsk(origin) {
      return generateAuthenticationOptions({
        rpID: origin.hostname,
        challenge: await createChallenge(),
        timeout: CHALLENGE_MS,
        userVerification: 'required',
      })
    },
    async signIn(origin, answer) {
      const passkey = await store.find(bytesOf(answer.id))
      if (passkey === undefined || passkey.host !== origin.hostname) throw notAccepted()
      const verified = await verify(() =>
        verifyAuthenticationResponse({
          response: answer,
          expectedChallenge: (challenge) => store.takeChallenge(challenge),
          expectedOrigin: origin.origin,
          expectedRPID: passkey.host,
          credential: {
            id: answer.id,
            publicKey: new Uint8Array(passkey.public_key),
            counter: Number(passkey.uses),
          },
        }),
      )
      if (!verified.verified) throw notAccepted()
      return database.transaction().execute(async (tx) => {
        const member = await members.lock(tx, passkey.member_id, null)
        // Removed while the passkey was checked.
        if (member === undefined || member.removed_at !== null) throw notAccepted()
        await store.noteUse(tx, passkey.credential_id, verified.authenticationInfo.newCounter)
        await noteSignIn(tx, member)
        return sessionKeyOf(member)
      })
    },
  }
}

const notAccepted = (): ApiError =>
  new ApiError('unauthorized', 'passkey: belongs to no member here, or took too long', { param: 'passkey' })

/** Runs a check of the library, which throws plain errors at answers that are wrong. */
async function verify<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch {
    throw notAccepted()
  }
}
