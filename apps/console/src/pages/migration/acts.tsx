import { ApiError, type Migration } from '@vaani/client'
import { isAnsweredByV2, STAGES } from '@vaani/migration-charts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import { MIGRATION_KEY, worker } from './worker.ts'

type Stage = Migration['stage']

/** What can be done, each with a reason. The worker's gate decides; its refusal says why. */
export function Acts({ of: { stage, kill_switch } }: { of: Migration }) {
  return (
    <div className="line">
      <ChangeStage current={stage} />
      <Act
        name={t.migration.rollBack}
        hint={t.migration.rollBackHint}
        run={(reason) => worker.rollBack({ reason })}
      />
      {kill_switch.engaged ? (
        <Act
          name={t.migration.release}
          hint={t.migration.releaseHint}
          run={(reason) => worker.setKillSwitch({ engaged: false, reason })}
        />
      ) : (
        <Act
          name={t.migration.kill}
          hint={t.migration.killHint}
          run={(reason) => worker.setKillSwitch({ engaged: true, reason })}
        />
      )}
      <Act
        name={t.migration.restart}
        hint={t.migration.restartHint}
        run={(reason) => worker.restartEvidence({ reason })}
      />
    </div>
  )
}

function ChangeStage({ current }: { current: Stage }) {
  const id = useId()
  const others = STAGES.filter((stage) => stage !== current)
  const next = STAGES[STAGES.indexOf(current) + 1] ?? current
  const [chosen, choose] = useState<Stage>(next)
  const stage = chosen === current ? next : chosen
  const isHandedOver = isAnsweredByV2(stage) !== isAnsweredByV2(current)
  return (
    <Act
      name={t.migration.changeStage}
      run={(reason, form) => worker.changeStage({ stage, reason, force: form.has('force') })}
      onceRefused={
        <label className="choice">
          <input type="checkbox" name="force" /> {t.migration.force}
        </label>
      }
    >
      <div className="field">
        <label htmlFor={id}>{t.migration.newStage}</label>
        <select
          id={id}
          value={stage}
          onChange={({ currentTarget: { value } }) => choose(others.find((other) => other === value) ?? next)}
        >
          {others.map((other) => (
            <option key={other} value={other}>
              {t.migration.stages[other]}
            </option>
          ))}
        </select>
      </div>
      {isHandedOver && <TypedStage stage={stage} />}
    </Act>
  )
}

function TypedStage({ stage }: { stage: Stage }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{t.migration.confirm(stage)}</label>
      <input id={id} autoComplete="off" spellCheck={false} pattern={stage} required />
    </div>
  )
}

interface ActProps {
  name: string
  hint?: string
  run: (reason: string, form: FormData) => PromiseLike<unknown>
  /** What can be chosen besides the reason. */
  children?: ReactNode
  /** What can be chosen once the gate has refused. */
  onceRefused?: ReactNode
}

/** A button that asks for a reason before it acts. A refusal keeps what was written. */
function Act({ name, hint, run, children, onceRefused }: ActProps) {
  const title = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const queries = useQueryClient()
  const act = useMutation({
    mutationFn: async (form: FormData) => run(String(form.get('reason')), form),
    async onSuccess() {
      dialog.current?.close()
      await queries.invalidateQueries({ queryKey: MIGRATION_KEY })
    },
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    act.mutate(new FormData(event.currentTarget))
  }
  const isRefused = act.error instanceof ApiError && act.error.code === 'state_conflict'
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {name}
      </button>
      <dialog ref={dialog} aria-labelledby={title} onClose={() => act.reset()}>
        <form className="fields" onSubmit={submit}>
          <h2 id={title}>{name}</h2>
          {hint !== undefined && <p>{hint}</p>}
          {children}
          <Field name="reason" label={t.migration.reason} required />
          {act.error && <Problem error={act.error} />}
          {isRefused && onceRefused}
          <div className="line">
            <button type="button" onClick={() => dialog.current?.close()}>
              {t.common.cancel}
            </button>
            <button type="submit" className="danger" disabled={act.isPending}>
              {name}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
