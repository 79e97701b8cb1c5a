import { ApiError, type Migration } from '@vaani/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { ActDialog } from '../../parts/act-dialog.tsx'
import { TypedWord } from '../../parts/confirmed-act.tsx'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { sentences, t } from '../../text/text.ts'
import { isAnsweredByV2, STAGES } from '@vaani/migration-charts'
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
      {isHandedOver && <TypedWord name="typed" label={t.migration.confirm(stage)} word={stage} />}
    </Act>
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
  const queries = useQueryClient()
  const act = useMutation({
    mutationFn: async ({ form }: { form: FormData; close: () => void }) =>
      run(String(form.get('reason')), form),
    async onSuccess(_, { close }) {
      close()
      await queries.invalidateQueries({ queryKey: MIGRATION_KEY })
    },
  })
  const isRefused = act.error instanceof ApiError && act.error.code === 'state_conflict'
  return (
    <ActDialog
      name={name}
      hint={hint}
      isPending={act.isPending}
      onSubmit={(form, close) => act.mutate({ form, close })}
      onClose={() => act.reset()}
    >
      {children}
      <Field name="reason" label={t.migration.reason} required />
      {act.error && <Problem error={act.error} words={isRefused ? sentences?.gate : undefined} />}
      {isRefused && onceRefused}
    </ActDialog>
  )
}
