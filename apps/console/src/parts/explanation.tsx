import { SignInError } from '../session/session.ts'
import { PageError } from '../text/page-error.ts'
import { wordsOf } from './words-of.ts'

/**
 * Says what an error means: in the language of the page if its code has words, then as it was written, in English. Of the API, that
 * says more: which field it is, and the id of the request.
 */
export function Explanation(props: { of: Error; words?: string | null | undefined }) {
  const { of: error, words = wordsOf(error) } = props
  if (error instanceof PageError) return <p>{error.message}</p>
  if (words === null) return <p lang="en">{error.message}</p>
  return (
    <>
      <p>{words}</p>
      {!(error instanceof SignInError) && (
        <p lang="en" className="hint">
          {error.message}
        </p>
      )}
    </>
  )
}
