import type { Member } from '@vaani/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ConfirmedAct } from '../../parts/confirmed-act.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { shortId } from '../../parts/short-id.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Removal } from '../../parts/removal.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { InvitationOnce } from './invitation-once.tsx'
import { type Choices, MemberFields, readMember } from './member-fields.tsx'
import { MemberStatus } from './member-status.tsx'

const keyOf = (id: string) => ['member', id] as const

/** One member: what they may do, how they sign in, and how to end it. */
export function MemberPage({ id }: { id: string }) {
  const { session } = useSession()
  const read = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => vaani.members.retrieve(id, { signal }),
  })
  return (
    <Loaded read={read} list={{ path: '/members', title: t.members.all }} title={id}>
      {(member) => (
        <>
          <PageHeader title={member.name} tab={shortId(id)}>
            <span aria-live="polite">
              <MemberStatus of={member} />
            </span>
          </PageHeader>
          <MemberFacts of={member} />
          {member.status !== 'removed' &&
            (member.livemode && !session.livemode ? (
              <p className="notice">{t.members.inLive}</p>
            ) : (
              <>
                <Change member={member} />
                <SigningIn member={member} />
              </>
            ))}
          <JsonView of={member} />
          {member.status !== 'removed' && (!member.livemode || session.livemode) && (
            <Removal
              name={t.members.remove}
              hint={id === session.member?.member_id ? t.members.removeOwnHint : t.members.removeHint}
              id={id}
              remove={() => vaani.members.remove(id)}
              path="/members"
            />
          )}
        </>
      )}
    </Loaded>
  )
}

const MemberFacts = ({ of: member }: { of: Member }) => (
  <Facts
    of={[
      [t.common.id, <CopiedId key="id" id={member.member_id} />],
      [t.members.role, t.members.roles[member.role]],
      [t.members.modes, member.livemode ? t.members.both : t.members.testOnly],
      [
        t.members.signedIn,
        member.signed_in_at === null ? t.members.never : <Time key="signed in" at={member.signed_in_at} />,
      ],
      [t.members.invited, <Time key="created" at={member.created_at} />],
      [
        t.members.until,
        member.invitation_expires_at && <Time key="until" at={member.invitation_expires_at} />,
      ],
      [t.members.removedAt, member.removed_at && <Time key="removed" at={member.removed_at} />],
      [t.members.actsAs, <CopiedId key="test" id={member.test_key_id} />],
      [t.members.actsAsLive, member.live_key_id && <CopiedId key="live" id={member.live_key_id} />],
    ]}
  />
)

function Change({ member }: { member: Member }) {
  const { session } = useSession()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (changes: Choices) => vaani.members.update(member.member_id, changes),
    onSuccess: (changed) => queries.setQueryData(keyOf(member.member_id), changed),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const changes = readMember(event.currentTarget, { isLive: session.livemode })
    if (changes !== null) change.mutate(changes)
  }
  return (
    <section aria-label={t.members.change}>
      <h2>{t.members.change}</h2>
      <form className="fields" onSubmit={submit} onChange={() => change.isSuccess && change.reset()}>
        <MemberFields initial={member} error={change.error} />
        <div className="line">
          <button type="submit" disabled={change.isPending}>
            {t.members.save}
          </button>
          <span role="status">{change.isSuccess && t.members.saved}</span>
        </div>
      </form>
    </section>
  )
}

/** Invites a member again, for another device or after they lost their passkey. */
function SigningIn({ member }: { member: Member }) {
  const { member_id: id } = member
  const { session } = useSession()
  const queries = useQueryClient()
  const invite = useMutation({
    mutationFn: (options: { reset: boolean }) => vaani.members.inviteAgain(id, options),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(id) }),
  })
  return (
    <section aria-label={t.members.signingIn}>
      <h2>{t.members.signingIn}</h2>
      <p className="hint">{t.members.againHint}</p>
      <div className="line">
        <button type="button" disabled={invite.isPending} onClick={() => invite.mutate({ reset: false })}>
          {t.members.again}
        </button>
        {/* To one's own session, the new invitation would be lost with it. */}
        {id !== session.member?.member_id && (
          <ConfirmedAct
            name={t.members.reset}
            hint={t.members.resetHint}
            id={id}
            act={() => invite.mutate({ reset: true })}
          />
        )}
      </div>
      {invite.error && <Problem error={invite.error} />}
      {invite.data && <InvitationOnce of={invite.data} />}
    </section>
  )
}
