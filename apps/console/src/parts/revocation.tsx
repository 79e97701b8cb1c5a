import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { ConfirmedAct } from './confirmed-act.tsx'
import { Problem } from './problem.tsx'

/** The end of a page: revokes its object for good, and shows it as it is then. */
export function Revocation(props: {
  name: string
  hint: string
  id: string
  isRevoked: boolean
  revoke: () => PromiseLike<unknown>
  /** The query of the object, which revoking answers. */
  queryKey: QueryKey
}) {
  const { name, hint, id, isRevoked, revoke, queryKey } = props
  const queries = useQueryClient()
  const revocation = useMutation({
    mutationFn: async () => revoke(),
    onSuccess: (revoked) => queries.setQueryData(queryKey, revoked),
  })
  if (isRevoked) return null
  return (
    <section className="page-end" aria-label={name}>
      <ConfirmedAct name={name} hint={hint} id={id} act={() => revocation.mutate()} />
      {revocation.error && <Problem error={revocation.error} />}
    </section>
  )
}
