import { type FormEvent, useState } from 'react'
import { hasPasskeys, signInByPasskey } from '../session/passkeys.ts'
import { type Session, signIn } from '../session/session.ts'
import { Explanation } from '../parts/explanation.tsx'
import { PageError } from '../text/page-error.ts'
import { t } from '../text/text.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { ProviderButton } from './provider-button.tsx'

/** Signs in by a passkey, or exchanges a key for a session. The key stays in the field until then, and nowhere else. */
export function SignIn({
  problem: given,
  onSignedIn,
}: {
  problem: Error | null
  onSignedIn: (session: Session) => void
}) {
  const [problem, setProblem] = useState(given)
  const [isBusy, setBusy] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const key = String(new FormData(form).get('key') ?? '').trim()
    setBusy(true)
    try {
      const session = await signIn({ key })
      form.reset()
      onSignedIn(session)
    } catch (error) {
      setProblem(error instanceof Error ? error : new PageError(t.signIn.failed))
    } finally {
      setBusy(false)
    }
  }
  return (
    <main className="sign-in">
      <h1>Vaani</h1>
      <PasskeyButton name={t.passkeys.signIn} start={signInByPasskey} onSignedIn={onSignedIn} />
      <ProviderButton />
      <p className="or hint">{t.passkeys.or}</p>
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor="key">{t.signIn.key}</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          aria-describedby="key-hint"
          aria-invalid={problem !== null}
        />
        <p id="key-hint" className="hint">
          {t.signIn.hint}
        </p>
        {problem !== null && (
          <div role="alert" className="refusal">
            <Explanation of={problem} />
          </div>
        )}
        <button type="submit" className={hasPasskeys ? undefined : 'primary'} disabled={isBusy}>
          {t.signIn.submit}
        </button>
      </form>
    </main>
  )
}
