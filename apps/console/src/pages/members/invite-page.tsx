import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { PageHeader } from '../../parts/page-header.tsx'
import { useSession } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { InvitationOnce } from './invitation-once.tsx'
import { type Choices, MemberFields, readMember } from './member-fields.tsx'

/** Invites somebody with a role, and shows their invitation, once. */
export function InvitePage() {
  const { session } = useSession()
  const queries = useQueryClient()
  const invite = useMutation({
    mutationFn: (member: Choices) => vaani.members.invite(member),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['members'] }),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const member = readMember(event.currentTarget, { isLive: session.livemode })
    if (member !== null) invite.mutate(member)
  }
  return (
    <>
      <p className="back">
        <Link href="/members">{t.members.all}</Link>
      </p>
      <PageHeader title={t.members.invite} />
      {invite.data ? (
        <>
          <InvitationOnce of={invite.data} />
          <p>
            <Link href={`/members/${invite.data.member_id}`}>{invite.data.name}</Link>
          </p>
        </>
      ) : (
        <form className="fields" onSubmit={submit}>
          <MemberFields initial={{}} error={invite.error} />
          <button type="submit" className="primary" disabled={invite.isPending}>
            {t.members.invite}
          </button>
        </form>
      )}
    </>
  )
}
