import { useQueryClient } from '@tanstack/react-query'
import type { StartCallerIdRequest } from '@vaani/client'
import { Link, useLocation } from 'wouter'
import { Choice } from '../../parts/choice.tsx'
import { Field } from '../../parts/field.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { problemBeside, problemOf } from '../../parts/problem-of.ts'
import { Problem } from '../../parts/problem.tsx'
import { SavedForm } from '../../parts/saved-form.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { keepTestCode } from './test-code.ts'

const LIST = '/caller-ids'
const LANGUAGES: Readonly<Record<NonNullable<StartCallerIdRequest['language']>, string>> = {
  'en-US': 'English',
  'ne-NP': 'नेपाली',
  'hi-IN': 'हिन्दी',
  'fr-FR': 'français',
  'es-ES': 'español',
  'de-DE': 'Deutsch',
}

/** Has a number called, whose code is then entered on the page of the caller id. */
export function StartCallerIdPage() {
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  return (
    <>
      <p className="back">
        <Link href={LIST}>{t.callerIds.all}</Link>
      </p>
      <PageHeader title={t.callerIds.start} />
      <p className="hint">{t.callerIds.startHint}</p>
      <SavedForm
        replaced={null}
        read={readRequest}
        save={(request) => vaani.callerIds.start(request)}
        onSaved={(started) => {
          keepTestCode(queries, started)
          void queries.invalidateQueries({ queryKey: ['caller-ids'] })
          navigate(`${LIST}/${started.caller_id_id}`)
        }}
        onCancel={() => navigate(LIST)}
      >
        {({ error }) => {
          const problem = problemBeside(error, ['phone_number'])
          return (
            <>
              <Field
                name="phone_number"
                label={t.callerIds.number}
                type="tel"
                required
                problem={problemOf(error, 'phone_number')}
              />
              <Choice
                name="language"
                label={t.callerIds.language}
                options={Object.entries(LANGUAGES)}
                initial="en-US"
              />
              {problem && <Problem error={problem} />}
            </>
          )
        }}
      </SavedForm>
    </>
  )
}

const isLanguage = (text: string): text is keyof typeof LANGUAGES => Object.hasOwn(LANGUAGES, text)

function readRequest(form: FormData): StartCallerIdRequest {
  const language = String(form.get('language'))
  return {
    phone_number: String(form.get('phone_number') ?? '').replaceAll(/[\s()-]/g, ''),
    ...(isLanguage(language) && { language }),
  }
}
