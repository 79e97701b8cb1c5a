import { Link, useLocation } from 'wouter'
import { PageHeader } from '../../parts/page-header.tsx'
import { t } from '../../text/text.ts'
import { LexiconForm } from './lexicon-form.tsx'

/** Creates a lexicon, and opens it. */
export function CreateLexiconPage() {
  const [, navigate] = useLocation()
  return (
    <>
      <p className="back">
        <Link href="/lexicons">{t.lexicons.all}</Link>
      </p>
      <PageHeader title={t.lexicons.create} />
      <LexiconForm
        lexicon={null}
        onSaved={({ language }) => navigate(`/lexicons/${language}`)}
        onCancel={() => navigate('/lexicons')}
      />
    </>
  )
}
