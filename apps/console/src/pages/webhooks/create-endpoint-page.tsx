import { ApiError, type CreateWebhookEndpointRequest } from '@vaani/client'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { Coded } from '../../parts/coded.tsx'
import { Field } from '../../parts/field.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { EVENT_TYPES } from '../../live/changes.ts'
import { NewSecret } from './new-secret.tsx'

/** Creates an endpoint, then shows its secret, once, and how to verify what it signs. */
export function CreateEndpointPage() {
  const create = useMutation({
    mutationFn: (request: CreateWebhookEndpointRequest) => vaani.webhooks.createEndpoint(request),
  })
  const problem = create.error instanceof ApiError && create.error.param === 'url' ? create.error : null
  return (
    <>
      <p className="back">
        <Link href="/webhooks">{t.webhooks.title}</Link>
      </p>
      <PageHeader title={t.webhooks.create} />
      {create.data ? (
        <>
          <NewSecret secret={create.data.secret} />
          <p>
            <Link href={`/webhooks/endpoints/${create.data.endpoint_id}`}>{create.data.url}</Link>
          </p>
        </>
      ) : (
        <form className="fields" onSubmit={(event) => create.mutate(readForm(event))}>
          <Field name="url" label={t.webhooks.url} type="url" required problem={problem ?? undefined} />
          <fieldset>
            <legend>{t.webhooks.eventTypes}</legend>
            {EVENT_TYPES.map((type) => (
              <label key={type} className="choice">
                <input type="checkbox" name="events" value={type} defaultChecked />
                <span>
                  <Coded name={t.codes.eventTypes[type]} code={type} />
                </span>
              </label>
            ))}
          </fieldset>
          {create.error && problem === null && <Problem error={create.error} />}
          <button type="submit" className="primary" disabled={create.isPending}>
            {t.webhooks.create}
          </button>
        </form>
      )}
    </>
  )
}

function readForm(event: FormEvent<HTMLFormElement>): CreateWebhookEndpointRequest {
  event.preventDefault()
  const form = new FormData(event.currentTarget)
  const chosen = new Set(form.getAll('events').map(String))
  return { url: String(form.get('url') ?? '').trim(), events: EVENT_TYPES.filter((type) => chosen.has(type)) }
}
