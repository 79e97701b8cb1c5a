import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { AccountAuthenticator } from '../../tenancy/authenticator.ts'
import { countMembers, findMember, updateMemberRow } from '../../tenancy/member-rows.ts'
import { createChallengeStore } from './challenge-store.ts'
import type { MembersContext } from './context.ts'
import * as members from './migrations/0046-members.ts'
import { createOidc } from './oidc/create-oidc.ts'
import { createPasskeys } from './passkeys/create-passkeys.ts'
import { createPasskeyStore } from './passkeys/passkey-store.ts'
import type { MembersPort } from './port.ts'
import { inviteMemberAgain } from './routes/invite-again.ts'
import { inviteMember } from './routes/invite.ts'
import { listMembers } from './routes/list.ts'
import { removeMember } from './routes/remove.ts'
import { retrieveMember } from './routes/retrieve.ts'
import { updateMember } from './routes/update.ts'
import { keyInMode } from './session-key.ts'
import { type MemberSettings, memberSettings } from './settings.ts'

type Needs = Pick<Services, 'clock' | 'database' | 'log' | 'makeId'> & {
  settings: MemberSettings
  authenticator: AccountAuthenticator
}

/** People who use the console for an account. */
export const membersFeature = defineFeature({
  name: 'members',
  contract: { members: contract.members },
  settings: memberSettings,
  migrations: { '0046-members': members },
  async start({ settings, database, clock, log, makeId, authenticator }: Needs) {
    const passkeys = createPasskeyStore(database)
    const challenges = createChallengeStore({ database, clock })
    const signingIn = { database, clock, makeId, challenges }
    const context: MembersContext = { database, clock, makeId, authenticator, passkeys }
    const port: MembersPort = {
      passkeys: createPasskeys({ ...signingIn, store: passkeys }),
      oidc: settings.oidc && createOidc({ ...signingIn, log, settings: settings.oidc }),
      async keyIdsOf(memberId) {
        const member = await findMember(database, memberId)
        return [member?.test_key_id, member?.live_key_id].filter((id) => typeof id === 'string')
      },
      async mayWork(memberId, livemode) {
        const member = await findMember(database, memberId)
        return member !== undefined && keyInMode(member, livemode) !== null
      },
      async keyIn(memberId, livemode) {
        const member = await findMember(database, memberId)
        const key = member === undefined ? null : keyInMode(member, livemode)
        if (key !== null) await updateMemberRow(database, memberId, { prefers_live: livemode })
        return key
      },
    }
    return {
      mounts: [
        handle(contract.members, {
          invite: inviteMember(context),
          list: listMembers(context),
          retrieve: retrieveMember(context),
          update: updateMember(context),
          inviteAgain: inviteMemberAgain(context),
          remove: removeMember(context),
        }),
      ],
      port,
      counters: { members: ({ accountId }) => countMembers(database, accountId) },
      sweeps: { 'challenges of those who sign in': () => challenges.sweep() },
    }
  },
})
