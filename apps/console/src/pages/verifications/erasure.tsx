import type { Verification } from '@vaani/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ConfirmedAct } from '../../parts/confirmed-act.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

/** Erases what is known of the person: of this verification, or everything. */
export function Erasure({ of: { verification_id: id, external_id } }: { of: Verification }) {
  const queries = useQueryClient()
  const erase = useMutation({
    mutationFn: async (what: 'media' | 'person') => {
      if (what === 'media') await vaani.identity.removeMedia(id)
      else if (external_id) await vaani.identity.eraseSubject(external_id)
    },
    // Whatever was read may hold what is erased.
    onSuccess: () => queries.invalidateQueries(),
  })
  const mayErase = useScope('identity:write')
  if (!mayErase) return null
  return (
    <section className="page-end line" aria-label={t.verifications.erasure}>
      <ConfirmedAct
        name={t.verifications.eraseMedia}
        hint={t.verifications.eraseMediaHint}
        id={id}
        act={() => erase.mutate('media')}
      />
      {external_id && (
        <ConfirmedAct
          name={t.verifications.erasePerson}
          hint={t.verifications.erasePersonHint}
          id={external_id}
          act={() => erase.mutate('person')}
        />
      )}
      {erase.isSuccess && <span role="status">{t.verifications.erased}</span>}
      {erase.error && <Problem error={erase.error} />}
    </section>
  )
}
