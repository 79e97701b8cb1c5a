import { ApiError, type Member } from '@vaani/client'
import { Field } from '../../parts/field.tsx'
import { keysOf } from '../../parts/keys-of.ts'
import { Problem } from '../../parts/problem.tsx'
import { useSession } from '../../session/session-context.ts'
import { t } from '../../text/text.ts'

const ROLES = keysOf<Member['role']>(t.members.roles)

/** What somebody chooses about a member. */
export type Choices = Pick<Member, 'name' | 'role'> & Partial<Pick<Member, 'livemode'>>

/** The fields of a member: name, role with what it may do, and live mode, which only live mode can give. */
export function MemberFields({ initial, error }: { initial: Partial<Choices>; error: Error | null }) {
  const { session } = useSession()
  const problem = error instanceof ApiError && error.param === 'name' ? error : null
  return (
    <>
      <Field
        name="name"
        label={t.members.name}
        required
        {...(initial.name !== undefined && { initial: initial.name })}
        problem={problem ?? undefined}
      />
      <fieldset className="options">
        <legend>{t.members.role}</legend>
        {ROLES.map((role) => (
          <label key={role}>
            <input type="radio" name="role" value={role} defaultChecked={role === initial.role} required />
            <span>
              {t.members.roles[role]}
              <span className="hint">{t.members.rights[role]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {session.livemode ? (
        <div className="options">
          <label>
            <input type="checkbox" name="livemode" defaultChecked={initial.livemode ?? true} />
            {t.members.live}
          </label>
        </div>
      ) : (
        <p className="hint">{t.members.liveHint}</p>
      )}
      {error && problem === null && <Problem error={error} />}
    </>
  )
}

/** Reads the fields of a form; null if no role is chosen. */
export function readMember(form: HTMLFormElement, { isLive }: { isLive: boolean }): Choices | null {
  const data = new FormData(form)
  const role = ROLES.find((one) => one === data.get('role'))
  if (role === undefined) return null
  const name = String(data.get('name') ?? '').trim()
  return { name, role, ...(isLive && { livemode: data.has('livemode') }) }
}
