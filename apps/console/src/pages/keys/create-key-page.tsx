import { ApiError, type CreateKeyRequest } from '@vaani/client'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { Field } from '../../parts/field.tsx'
import { Once } from '../../parts/once.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { SCOPES } from './scopes.ts'

/** Creates a key with the scopes that somebody needs, and shows it, once. */
export function CreateKeyPage() {
  const create = useMutation({ mutationFn: (request: CreateKeyRequest) => vaani.admin.createKey(request) })
  const problem = create.error instanceof ApiError && create.error.param === 'name' ? create.error : null
  return (
    <>
      <p className="back">
        <Link href="/keys">{t.keys.all}</Link>
      </p>
      <PageHeader title={t.keys.create} />
      {create.data ? (
        <>
          <Once hint={t.keys.once} secret={create.data.key} />
          <p>
            <Link href={`/keys/${create.data.key_id}`}>{create.data.name}</Link>
          </p>
        </>
      ) : (
        <form className="fields" onSubmit={(event) => create.mutate(readForm(event))}>
          <Field name="name" label={t.keys.whose} required problem={problem ?? undefined} />
          <fieldset>
            <legend>{t.keys.scopes}</legend>
            {SCOPES.map((scope) => (
              <label key={scope} className="choice">
                <input type="checkbox" name="scopes" value={scope} />
                <code>{scope}</code>
              </label>
            ))}
          </fieldset>
          {create.error && problem === null && <Problem error={create.error} />}
          <button type="submit" className="primary" disabled={create.isPending}>
            {t.keys.create}
          </button>
        </form>
      )}
    </>
  )
}

function readForm(event: FormEvent<HTMLFormElement>): CreateKeyRequest {
  event.preventDefault()
  const form = new FormData(event.currentTarget)
  const chosen = new Set(form.getAll('scopes').map(String))
  return { name: String(form.get('name') ?? '').trim(), scopes: SCOPES.filter((scope) => chosen.has(scope)) }
}
