import { useEffect, useState } from 'react'
import { Explanation } from '../parts/explanation.tsx'
import { PageError } from '../text/page-error.ts'
import { beginAtProvider, hasProvider } from '../session/session.ts'
import { t } from '../text/text.ts'

/** Where the page was that a person left for the provider. Its address holds no secret. */
const RETURN = 'vaani.return'

/** Comes back to the page that was left for the provider, and returns whether the provider's answer was refused. */
export function comeBackFromProvider(): boolean {
  const isRefused = location.hash === '#refused'
  const left = sessionStorage.getItem(RETURN)
  sessionStorage.removeItem(RETURN)
  if (isRefused || left !== null) history.replaceState(null, '', left ?? location.pathname + location.search)
  return isRefused
}

/** Leads to the operator's OpenID provider, if there is one. */
export function ProviderButton({ invitation }: { invitation?: string }) {
  const [isOffered, setOffered] = useState(false)
  const [problem, setProblem] = useState<Error | null>(null)
  useEffect(() => {
    hasProvider().then(setOffered, setProblem)
  }, [])
  async function leave() {
    setProblem(null)
    try {
      const { url } = await beginAtProvider(invitation)
      sessionStorage.setItem(RETURN, location.pathname + location.search)
      location.assign(url)
    } catch (error) {
      setProblem(error instanceof Error ? error : new PageError(t.signIn.failed))
    }
  }
  return (
    <>
      {isOffered && (
        <button type="button" onClick={() => void leave()}>
          {t.passkeys.provider}
        </button>
      )}
      {problem !== null && (
        <div role="alert" className="refusal">
          <Explanation of={problem} />
        </div>
      )}
    </>
  )
}
