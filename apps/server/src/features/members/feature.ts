import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { AccountAuthenticator } from '../../tenancy/authenticator.ts'
import type { MembersContext } from './context.ts'
import * as members from './migrations/0046-members.ts'
import { createPasskeys } from './passkeys/create-passkeys.ts'
import { createPasskeyStore } from './passkeys/passkey-store.ts'
import type { MembersPort } from './port.ts'
import { inviteMemberAgain } from './routes/invite-again.ts'
import { inviteMember } from './routes/invite.ts'
import { listMembers } from './routes/list.ts'
import { removeMember } from './routes/remove.ts'
import { retrieveMember } from './routes/retrieve.ts'
import { updateMember } from './routes/update.ts'
import { createMemberStore } from './store.ts'

type Needs = Pick<Services, 'clock' | 'database' | 'makeId'> & { authenticator: AccountAuthenticator }

/** People who use the console for an account. */
export const membersFeature = defineFeature({
  name: 'members',
  contract: { members: contract.members },
  migrations: { '0046-members': members },
  async start({ database, clock, makeId, authenticator }: Needs) {
    const store = createMemberStore({ database, clock, makeId })
    const passkeys = createPasskeyStore({ database, clock })
    const context: MembersContext = { database, clock, authenticator, store, passkeys }
    const port: MembersPort = {
      passkeys: createPasskeys({ database, clock, members: store, store: passkeys }),
      async keyIn(memberId, livemode) {
        const member = await store.find(database, memberId)
        const keyId = livemode ? member?.live_key_id : member?.test_key_id
        if (member === undefined || !keyId || (livemode && !member.livemode)) return null
        await store.change(database, memberId, { prefers_live: livemode })
        return { key_id: keyId, account_id: member.account_id }
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
      sweeps: { 'challenges for passkeys': () => passkeys.sweep() },
    }
  },
})
