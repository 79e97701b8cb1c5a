import { type ReactNode, useState } from 'react'
import { t } from '../text/text.ts'
import { PageHeader } from './page-header.tsx'

/** The top of an object's page: what it has, or the form that changes it. */
export function Editable<Edited>(props: {
  title: string
  mayEdit: boolean
  of: Edited
  /** The form of what the object was when the person began; `close` ends it. */
  form: (began: Edited, close: () => void) => ReactNode
  children: ReactNode
}) {
  const { title, mayEdit, of, form, children } = props
  const [began, setBegan] = useState<Edited | null>(null)
  return (
    <>
      <PageHeader title={title}>
        {mayEdit && began === null && (
          <button type="button" onClick={() => setBegan(of)}>
            {t.common.edit}
          </button>
        )}
      </PageHeader>
      {began === null ? children : form(began, () => setBegan(null))}
    </>
  )
}
