import { useEffect, useState } from 'react'
import { Explanation } from '../parts/explanation.tsx'
import { Loading } from '../parts/loading.tsx'
import { joinByPasskey } from '../session/passkeys.ts'
import { beginToMake, type Session } from '../session/session.ts'
import { t } from '../text/text.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { ProviderButton } from './provider-button.tsx'

/** Says who is invited, makes their passkey, and signs them in. */
export function Invitation(props: {
  invitation: string
  onSignedIn: (session: Session) => void
  /** Goes on without it. */
  onLeave: () => void
}) {
  const { invitation, onSignedIn, onLeave } = props
  const [name, setName] = useState<string | null>(null)
  const [problem, setProblem] = useState<Error | null>(null)
  useEffect(() => {
    beginToMake(invitation).then((begun) => setName(begun.name), setProblem)
  }, [invitation])
  return (
    <main className="sign-in">
      <h1>{name === null ? 'Vaani' : t.passkeys.welcome(name)}</h1>
      {problem !== null ? (
        <div>
          <div role="alert" className="refusal">
            <Explanation of={problem} />
          </div>
          <p>{t.passkeys.askAgain}</p>
        </div>
      ) : name === null ? (
        <Loading />
      ) : (
        <>
          <p>{t.passkeys.hint}</p>
          <PasskeyButton
            name={t.passkeys.make}
            hash={`#invitation=${invitation}`}
            start={() => joinByPasskey(invitation)}
            onSignedIn={onSignedIn}
          />
          <ProviderButton invitation={invitation} />
        </>
      )}
      <button type="button" className="quiet" onClick={onLeave}>
        {t.passkeys.leave}
      </button>
    </main>
  )
}
