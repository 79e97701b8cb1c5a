import { PageError } from '../text/page-error.ts'
import { wordsOf } from './words-of.ts'

/** Says what an error means: in the language of the page if its code has words, then as it was written, in English. */
export function Explanation({
  of: error,
  words = wordsOf(error),
}: {
  of: Error
  words?: string | null | undefined
}) {
  if (error instanceof PageError) return <p>{error.message}</p>
  return (
    <>
      {words !== null && <p>{words}</p>}
      <p lang="en">{error.message}</p>
    </>
  )
}
