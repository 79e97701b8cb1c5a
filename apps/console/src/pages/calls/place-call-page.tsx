import { ApiError, type PlaceCallRequest } from '@vaani/client'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { Field } from '../../parts/field.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const SAMPLE = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US', metadata: '{"name":"Sita"}' }

/** Places a call, now or later, and opens it. Refusals stand beside the field that they name. */
export function PlaceCallPage() {
  const [, navigate] = useLocation()
  const place = useMutation({
    mutationFn: (request: PlaceCallRequest) => vaani.calls.place(request),
    onSuccess: ({ call_id }) => navigate(`/calls/${call_id}`),
  })
  const refusedField = place.error instanceof ApiError ? place.error.param : null
  const problemOf = (name: string) => (refusedField === name ? (place.error ?? undefined) : undefined)
  const isNamed =
    refusedField !== null && ['to', 'agent_id', 'language', 'scheduled_at', 'metadata'].includes(refusedField)
  return (
    <>
      <p className="back">
        <Link href="/calls">{t.calls.back}</Link>
      </p>
      <PageHeader title={t.calls.place} />
      <form className="fields" onSubmit={(event) => place.mutate(readForm(event))}>
        <Field
          name="to"
          label={t.calls.to}
          type="tel"
          required
          initial={SAMPLE.to}
          problem={problemOf('to')}
        />
        <Field
          name="agent_id"
          label={t.calls.agent}
          required
          initial={SAMPLE.agent_id}
          problem={problemOf('agent_id')}
        />
        <Field
          name="language"
          label={t.calls.language}
          initial={SAMPLE.language}
          problem={problemOf('language')}
        />
        <Field
          name="scheduled_at"
          label={t.calls.scheduled}
          type="datetime-local"
          problem={problemOf('scheduled_at')}
        />
        <Field
          name="metadata"
          label={t.calls.metadata}
          initial={SAMPLE.metadata}
          isJson
          problem={problemOf('metadata')}
        />
        {place.error && !isNamed && <Problem error={place.error} />}
        <button type="submit" className="primary" disabled={place.isPending}>
          {t.calls.place}
        </button>
      </form>
    </>
  )
}

function readForm(event: FormEvent<HTMLFormElement>): PlaceCallRequest {
  event.preventDefault()
  const form = new FormData(event.currentTarget)
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const [language, scheduled, metadata] = [text('language'), text('scheduled_at'), text('metadata')]
  return {
    to: text('to'),
    agent_id: text('agent_id'),
    ...(language !== '' && { language }),
    // The field has the person's local time without an offset.
    ...(scheduled !== '' && { scheduled_at: new Date(scheduled).toISOString() }),
    ...(metadata !== '' && { metadata: JSON.parse(metadata) }),
  }
}
