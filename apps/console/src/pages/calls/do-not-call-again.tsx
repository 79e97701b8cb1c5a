import type { Call } from '@vaani/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Problem } from '../../parts/problem.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

/** Puts the number of a call on the do-not-call list, and leads to it there. */
export function DoNotCallAgain({ of: { to, failure_reason } }: { of: Call }) {
  const [mayRead, mayAdd] = [useScope('do_not_call:read'), useScope('do_not_call:write')]
  const queries = useQueryClient()
  const adding = useMutation({
    mutationFn: async () => vaani.doNotCall.add({ phone_number: to }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['do-not-call'] }),
  })
  const isListed = adding.isSuccess || failure_reason === 'do-not-call'
  return (
    <>
      {mayAdd && !isListed && (
        <button type="button" disabled={adding.isPending} onClick={() => adding.mutate()}>
          {t.doNotCall.fromCall}
        </button>
      )}
      <span role="status">
        {mayRead && isListed && (
          <Link href={`/do-not-call?phone_number=${encodeURIComponent(to)}`}>{t.doNotCall.listed}</Link>
        )}
      </span>
      {adding.error && <Problem error={adding.error} />}
    </>
  )
}
