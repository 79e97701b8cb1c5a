import type { Lexicon, ReplaceLexiconRequest } from '@vaani/client'
import { useQueryClient } from '@tanstack/react-query'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { problemBeside, problemOf } from '../../parts/problem-of.ts'
import { SavedForm } from '../../parts/saved-form.tsx'
import { readTextRows, TextRows } from '../../parts/text-rows.tsx'
import { vaani } from '../../session/session.ts'
import { PageError } from '../../text/page-error.ts'
import { t } from '../../text/text.ts'

const ROWS = ['term', 'spoken_as'] as const

interface Asked {
  language: string
  request: ReplaceLexiconRequest
}

/** Creates a lexicon, or replaces the entries of one, unless somebody else has meanwhile. */
export function LexiconForm(props: {
  lexicon: Lexicon | null
  onSaved: (lexicon: Lexicon) => void
  onCancel: () => void
}) {
  const { lexicon, onSaved, onCancel } = props
  const queries = useQueryClient()
  async function save({ language, request }: Asked): Promise<Lexicon> {
    // The route would replace it.
    if (lexicon === null && (await vaani.lexicons.list()).data.some((one) => one.language === language))
      throw new PageError(t.lexicons.taken(language))
    return vaani.lexicons.replace(language, request)
  }
  return (
    <SavedForm
      replaced={lexicon?.language ?? null}
      read={(form) => readLexicon(form, lexicon)}
      save={save}
      onSaved={(saved) => {
        void queries.invalidateQueries({ queryKey: ['lexicons'] })
        queries.setQueryData(['lexicon', saved.language], saved)
        onSaved(saved)
      }}
      onCancel={onCancel}
    >
      {({ error, variables }) => (
        <Fields lexicon={lexicon} error={error} count={variables?.request.entries.length ?? 0} />
      )}
    </SavedForm>
  )
}

function Fields(props: { lexicon: Lexicon | null; error: Error | null; count: number }) {
  const { lexicon, error, count } = props
  const rows = Array.from({ length: count }, (_, index) => `entries.${index}`)
  const problem = problemBeside(error, ['language', ...rows])
  return (
    <>
      {lexicon === null && (
        <Field name="language" label={t.lexicons.language} required problem={problemOf(error, 'language')} />
      )}
      <TextRows
        legend={t.lexicons.entries}
        names={ROWS}
        labels={[t.lexicons.term, t.lexicons.spokenAs]}
        initial={lexicon?.entries.map(({ term, spoken_as }) => [term, spoken_as] as const) ?? [['', '']]}
        isSecondOptional
        problemOf={(index) => problemOf(error, `entries.${index}`)}
      />
      <p className="hint">{t.lexicons.emptyHint}</p>
      {problem && <Problem error={problem} />}
    </>
  )
}

const readLexicon = (form: FormData, lexicon: Lexicon | null): Asked => ({
  language: lexicon?.language ?? String(form.get('language') ?? '').trim(),
  request: {
    entries: readTextRows(form, ROWS).map(([term, spoken_as]) => ({ term, spoken_as })),
    ...(lexicon !== null && { version: lexicon.version }),
  },
})
