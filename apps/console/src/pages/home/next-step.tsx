import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useScope, useSession } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Phone } from './phone.tsx'

const PATHS = {
  call: '/calls/new',
  webhook: '/webhooks/endpoints/new',
  verification: '/verifications',
  member: '/members/new',
} as const
type Step = keyof typeof PATHS

const ONE = { limit: 1 }

/** What the account has not done yet. With test data, its first call is one to a phone on this page. */
export function NextStep() {
  const { session } = useSession()
  const [mayPlace, isAdmin] = [useScope('calls:write'), useScope('admin')]
  const isWithout = {
    call: useIsWithout('call', mayPlace, (signal) => vaani.calls.list(ONE, { signal })),
    webhook: useIsWithout('webhook', isAdmin, (signal) => vaani.webhooks.listEndpoints(ONE, { signal })),
    verification: useIsWithout('verification', useScope('identity:write'), (signal) =>
      vaani.identity.list(ONE, { signal }),
    ),
    member: useIsWithout('member', isAdmin, (signal) => vaani.members.list(ONE, { signal })),
  } satisfies Record<Step, boolean>
  // The phone stays once it was there, so that its first call does not end it.
  const [hasPhone, setHasPhone] = useState(false)
  if (isWithout.call && !session.livemode && !hasPhone) setHasPhone(true)
  const steps = STEPS.filter((step) => isWithout[step] && !(step === 'call' && hasPhone))
  const [next] = steps
  return (
    <>
      {hasPhone && <Phone />}
      {next !== undefined && (
        <p className="notice">
          {t.firstRun.next} <Link href={PATHS[next]}>{t.firstRun.steps[next]}</Link>
        </p>
      )}
    </>
  )
}

const STEPS: readonly Step[] = ['call', 'webhook', 'verification', 'member']

/** Whether a list is known to be empty; false if the session may not read it. */
function useIsWithout(
  step: Step,
  isWanted: boolean,
  read: (signal: AbortSignal) => PromiseLike<{ readonly data: readonly object[] }>,
): boolean {
  const list = useQuery({
    queryKey: ['first', step],
    queryFn: async ({ signal }) => (await read(signal)).data.length === 0,
    enabled: isWanted,
  })
  return list.data ?? false
}
