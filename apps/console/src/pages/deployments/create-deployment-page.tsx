import type { CreatedDeployment, DeployRequest } from '@vaani/client'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { Choice } from '../../parts/choice.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { Once } from '../../parts/once.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { problemBeside, problemOf } from '../../parts/problem-of.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const MODELS: readonly DeployRequest['base_model'][] = ['synth-v1', 'synth-l1', 'synth-l2']
const TARGETS: readonly DeployRequest['target'][] = ['docker', 'kubernetes']
const FIELDS = ['name', 'replicas', 'options.seats', 'options.expires_in_days', 'options.models']

/** Creates a license, and shows it with the manifest that runs the server, once. */
export function CreateDeploymentPage() {
  const create = useMutation({ mutationFn: (request: DeployRequest) => vaani.deployments.create(request) })
  return (
    <>
      <p className="back">
        <Link href="/deployments">{t.deployments.all}</Link>
      </p>
      <PageHeader title={t.deployments.create} />
      {create.data ? (
        <Created of={create.data} />
      ) : (
        <form className="fields" onSubmit={(event) => create.mutate(readForm(event))}>
          <Fields error={create.error} />
          <button type="submit" className="primary" disabled={create.isPending}>
            {t.deployments.create}
          </button>
        </form>
      )}
    </>
  )
}

const Created = ({ of: { deployment_id, name, license, manifest } }: { of: CreatedDeployment }) => (
  <>
    <Once hint={t.deployments.once} secret={license}>
      <div className="command">
        <pre tabIndex={0}>{manifest}</pre>
        <CopyButton text={manifest} name={t.deployments.manifest} />
      </div>
    </Once>
    <p>
      <Link href={`/deployments/${deployment_id}`}>{name}</Link>
    </p>
  </>
)

const Fields = ({ error }: { error: Error | null }) => {
  const problem = problemBeside(error, FIELDS)
  return (
    <>
      <Field name="name" label={t.deployments.name} required problem={problemOf(error, 'name')} />
      <Choice name="base_model" label={t.deployments.model} options={MODELS} />
      <Choice
        name="target"
        label={t.deployments.target}
        options={TARGETS.map((target) => [target, t.deployments.targets[target]] as const)}
      />
      <Field
        name="replicas"
        label={t.deployments.replicas}
        type="number"
        initial="1"
        required
        problem={problemOf(error, 'replicas')}
      />
      <Field
        name="seats"
        label={t.deployments.seatsOrReplicas}
        type="number"
        problem={problemOf(error, 'options.seats')}
      />
      <Field
        name="days"
        label={t.deployments.days}
        type="number"
        initial="365"
        required
        problem={problemOf(error, 'options.expires_in_days')}
      />
      <Field name="models" label={t.deployments.moreModels} problem={problemOf(error, 'options.models')} />
      {problem && <Problem error={problem} />}
    </>
  )
}

function readForm(event: FormEvent<HTMLFormElement>): DeployRequest {
  event.preventDefault()
  const form = new FormData(event.currentTarget)
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const seats = text('seats')
  return {
    name: text('name'),
    base_model: MODELS.find((model) => model === text('base_model')) ?? 'synth-v1',
    target: TARGETS.find((target) => target === text('target')) ?? 'docker',
    replicas: Number(text('replicas')),
    options: {
      expires_in_days: Number(text('days')),
      ...(seats !== '' && { seats: Number(seats) }),
      models: text('models')
        .split(/[\s,]+/)
        .filter((model) => model !== ''),
    },
  }
}
