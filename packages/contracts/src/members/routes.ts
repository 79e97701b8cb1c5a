import { z } from 'zod'
import { onAccountSchema } from '../admin/resources.ts'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { defineRoute } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import { invitedMemberSchema, inviteMemberSchema, memberSchema, updateMemberSchema } from './resources.ts'

const base = { scope: 'admin', beyondSpecification: true } as const
const onMember = {
  ...base,
  path: '/admin/members/:member_id',
  pathParams: z.object({ member_id: namedIdSchema('member', 'not_found') }),
} as const

/** People who sign in to the console by a passkey or the operator's OpenID Connect, with the rights of a role. */
export const memberRoutes = {
  invite: defineRoute({
    ...base,
    operation: 'members.invite',
    secretAnswer: true,
    method: 'POST',
    path: '/admin/members',
    summary: 'Invite a member',
    description: `Creates a member, and an invitation, which only this response contains. An account can have ${LIMITS.membersPerAccount} members.`,
    body: inviteMemberSchema,
    success: { 201: invitedMemberSchema },
    errors: ['not_found', 'state_conflict'],
  }),
  list: defineRoute({
    ...base,
    operation: 'members.list',
    method: 'GET',
    path: '/admin/members',
    summary: 'List members',
    description: 'Lists the account’s members, newest first, including removed ones.',
    query: pageQuerySchema('member').extend({ account_id: onAccountSchema }),
    success: { 200: pageSchema(memberSchema) },
    errors: ['not_found'],
  }),
  retrieve: defineRoute({
    ...onMember,
    operation: 'members.retrieve',
    method: 'GET',
    summary: 'Read a member',
    description: 'Returns the member.',
    success: { 200: memberSchema },
    errors: ['not_found'],
  }),
  update: defineRoute({
    ...onMember,
    operation: 'members.update',
    method: 'PATCH',
    summary: 'Change a member',
    description: 'Changes the given fields. Every process applies them within five seconds.',
    body: updateMemberSchema,
    success: { 200: memberSchema },
    errors: ['not_found', 'state_conflict'],
  }),
  inviteAgain: defineRoute({
    ...onMember,
    operation: 'members.inviteAgain',
    secretAnswer: true,
    method: 'POST',
    path: '/admin/members/:member_id/invitations',
    summary: 'Invite a member again',
    description:
      'Creates an invitation in place of an open one, to add another way to sign in: for a new device, or a passkey that was lost. Ends the member’s passkeys, other sign-in and sessions with `reset`.',
    body: z
      .strictObject({ reset: z.boolean().optional() })
      .meta({ id: 'InviteAgainRequest', examples: [{ reset: true }] }),
    success: { 201: invitedMemberSchema },
    errors: ['not_found', 'state_conflict'],
  }),
  remove: defineRoute({
    ...onMember,
    operation: 'members.remove',
    method: 'DELETE',
    summary: 'Remove a member',
    description:
      'Ends the member’s sessions and ways to sign in for good; what they did keeps their name. Every process applies it within five seconds.',
    body: noBody,
    success: { 200: memberSchema },
    errors: ['not_found'],
  }),
} as const
