import type { ListedNumber } from '@vaani/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ConfirmedAct } from '../../parts/confirmed-act.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

/** Takes a number off the list; with live data, it has to be typed. */
export function NumberRemoval({ of: { listed_number_id, phone_number } }: { of: ListedNumber }) {
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: async () => vaani.doNotCall.remove(listed_number_id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['do-not-call'] }),
  })
  return (
    <>
      <ConfirmedAct
        name={t.doNotCall.remove}
        hint={`${phone_number}: ${t.doNotCall.removeHint}`}
        id={phone_number}
        act={() => removal.mutate()}
      />
      {removal.error && <Problem error={removal.error} />}
    </>
  )
}
