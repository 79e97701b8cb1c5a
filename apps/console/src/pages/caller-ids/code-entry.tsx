import { useQueryClient } from '@tanstack/react-query'
import type { OwnCallerId } from '@vaani/client'
import { useLocation } from 'wouter'
import { Field } from '../../parts/field.tsx'
import { problemBeside, problemOf } from '../../parts/problem-of.ts'
import { Problem } from '../../parts/problem.tsx'
import { SavedForm } from '../../parts/saved-form.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { findTestCode } from './test-code.ts'

/** Takes the code that the call said. */
export function CodeEntry({ of: { caller_id_id, attempts_left } }: { of: OwnCallerId }) {
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const testCode = findTestCode(queries, caller_id_id)
  return (
    <>
      <p className="hint">
        {testCode === undefined ? t.callerIds.listen : t.callerIds.testCode(testCode)}{' '}
        {attempts_left !== null && t.callerIds.attemptsLeft(attempts_left)}
      </p>
      <SavedForm
        replaced={null}
        read={(form) => ({ code: String(form.get('code') ?? '').replaceAll(/\s/g, '') })}
        save={async (request) => {
          try {
            return await vaani.callerIds.verify(caller_id_id, request)
          } finally {
            await queries.invalidateQueries({ queryKey: ['caller-id', caller_id_id] })
          }
        }}
        onSaved={() => void queries.invalidateQueries({ queryKey: ['caller-ids'] })}
        onCancel={() => navigate('/caller-ids')}
      >
        {({ error }) => {
          const problem = problemBeside(error, ['code'])
          return (
            <>
              <Field name="code" label={t.callerIds.code} required problem={problemOf(error, 'code')} />
              {problem && <Problem error={problem} />}
            </>
          )
        }}
      </SavedForm>
    </>
  )
}
