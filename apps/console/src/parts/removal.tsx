import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { ConfirmedAct } from './confirmed-act.tsx'
import { Problem } from './problem.tsx'

/** The end of a page: removes its object for good, and returns to the others. */
export function Removal(props: {
  name: string
  hint: string
  id: string
  remove: () => PromiseLike<unknown>
  /** Where the others are. */
  path: string
}) {
  const { name, hint, id, remove, path } = props
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: async () => remove(),
    async onSuccess() {
      navigate(path)
      await queries.invalidateQueries()
    },
  })
  return (
    <section className="page-end" aria-label={name}>
      <ConfirmedAct name={name} hint={hint} id={id} act={() => removal.mutate()} />
      {removal.error && <Problem error={removal.error} />}
    </section>
  )
}
