import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { Field } from '../../parts/field.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { problemBeside, problemOf } from '../../parts/problem-of.ts'
import { Problem } from '../../parts/problem.tsx'
import { SavedForm } from '../../parts/saved-form.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const LIST = '/do-not-call'

/** Puts a number on the list. */
export function AddNumberPage() {
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  return (
    <>
      <p className="back">
        <Link href={LIST}>{t.doNotCall.all}</Link>
      </p>
      <PageHeader title={t.doNotCall.add} />
      <SavedForm
        replaced={null}
        read={readNumber}
        save={(number) => vaani.doNotCall.add(number)}
        onSaved={() => {
          void queries.invalidateQueries({ queryKey: ['do-not-call'] })
          navigate(LIST)
        }}
        onCancel={() => navigate(LIST)}
      >
        {({ error }) => {
          const problem = problemBeside(error, ['phone_number', 'reason'])
          return (
            <>
              <Field
                name="phone_number"
                label={t.doNotCall.number}
                type="tel"
                required
                problem={problemOf(error, 'phone_number')}
              />
              <Field name="reason" label={t.doNotCall.reason} problem={problemOf(error, 'reason')} />
              {problem && <Problem error={problem} />}
            </>
          )
        }}
      </SavedForm>
    </>
  )
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim()

function readNumber(form: FormData): { phone_number: string; reason?: string } {
  const reason = textOf(form, 'reason')
  return {
    phone_number: textOf(form, 'phone_number').replaceAll(/[\s()-]/g, ''),
    ...(reason !== '' && { reason }),
  }
}
