import type { ListedNumbersImport } from '@vaani/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { Link } from 'wouter'
import { Facts } from '../../parts/facts.tsx'
import { Field } from '../../parts/field.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { readFile } from './read-file.ts'

/** Imports a CSV file, and shows which of its lines were refused, and why. */
export function ImportNumbersPage() {
  const queries = useQueryClient()
  const file = useId()
  const sending = useMutation({
    mutationFn: async (form: FormData) => vaani.doNotCall.importCsv(await readFile(form)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['do-not-call'] }),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    sending.mutate(new FormData(event.currentTarget))
  }
  return (
    <>
      <p className="back">
        <Link href="/do-not-call">{t.doNotCall.all}</Link>
      </p>
      <PageHeader title={t.doNotCall.importFile} />
      <form className="fields" onSubmit={submit}>
        <div className="field">
          <label htmlFor={file}>{t.doNotCall.file}</label>
          <input
            id={file}
            name="file"
            type="file"
            accept=".csv,.txt,text/csv"
            required
            aria-describedby={`${file}-hint`}
          />
          <p id={`${file}-hint`} className="hint">
            {t.doNotCall.fileHint}
          </p>
        </div>
        <Field name="reason" label={t.doNotCall.reasonForAll} />
        <div className="line">
          <button type="submit" className="primary" disabled={sending.isPending}>
            {t.doNotCall.send}
          </button>
        </div>
      </form>
      {sending.error && <Problem error={sending.error} />}
      <div role="status">{sending.data && <Imported of={sending.data} />}</div>
    </>
  )
}

type RefusedLine = ListedNumbersImport['errors'][number]

const COLUMNS: readonly Column<RefusedLine>[] = [
  { name: t.doNotCall.line, cell: ({ line }) => line },
  { name: t.doNotCall.problem, cell: ({ problem }) => t.doNotCall.problems[problem] },
]

const Imported = ({ of: { added, already_listed, refused, errors } }: { of: ListedNumbersImport }) => (
  <>
    <h2>{t.doNotCall.imported}</h2>
    <Facts
      of={[
        [t.doNotCall.added, added],
        [t.doNotCall.alreadyListed, already_listed],
        [t.doNotCall.refused, refused],
      ]}
    />
    {errors.length > 0 && (
      <Table label={t.doNotCall.refused} columns={COLUMNS} idOf={({ line }) => String(line)} rows={errors} />
    )}
  </>
)
