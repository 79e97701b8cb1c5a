import { useState } from 'react'
import { Explanation } from '../parts/explanation.tsx'
import { PageError } from '../text/page-error.ts'
import { hasPasskeys, hasPasskeysByName, passkeyOrigin } from '../session/passkeys.ts'
import type { Session } from '../session/session.ts'
import { t } from '../text/text.ts'

/** What browsers call it if a person closes the dialog or leaves it open for too long, and if the device has the passkey already. */
const EXPECTED: Readonly<Record<string, string>> = {
  NotAllowedError: t.passkeys.notUsed,
  AbortError: t.passkeys.notUsed,
  InvalidStateError: t.passkeys.isThere,
}

/** Signs in by a passkey; where there are none, says what to do about it. */
export function PasskeyButton(props: {
  name: string
  /** Part of the address that goes along to a page that has passkeys. */
  hash?: string
  start: () => Promise<Session>
  onSignedIn: (session: Session) => void
}) {
  const { name, hash = '', start, onSignedIn } = props
  const [error, setError] = useState<Error | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (!hasPasskeys) return <NoPasskeys hash={hash} />
  async function press() {
    setBusy(true)
    setError(null)
    try {
      onSignedIn(await start())
    } catch (failure) {
      setError(failure instanceof Error ? failure : new PageError(t.signIn.failed))
      setBusy(false)
    }
  }
  const isExpected = error !== null && Object.hasOwn(EXPECTED, error.name)
  return (
    <div className="passkey">
      <button type="button" className="primary" disabled={isBusy} onClick={() => void press()}>
        {name}
      </button>
      <p role="status">{isExpected && EXPECTED[error.name]}</p>
      {error !== null && !isExpected && (
        <div role="alert" className="refusal">
          <Explanation of={error} />
        </div>
      )}
    </div>
  )
}

function NoPasskeys({ hash }: { hash: string }) {
  if (!hasPasskeysByName) return <p className="notice">{t.passkeys.none}</p>
  const address = `${passkeyOrigin}${location.pathname}${location.search}${hash}`
  return (
    <p className="notice">
      {t.passkeys.byName} <a href={address}>{`${passkeyOrigin}/console`}</a>
    </p>
  )
}
