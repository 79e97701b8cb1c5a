import { VaaniError } from '@vaani/client'
import { SignInError } from '../session/session.ts'
import { sentences } from '../text/text.ts'
import { meaningOf } from './meaning-of.ts'
import { nameIn } from './name-in.ts'

/** Returns what an error means and what helps, in the language of the page. Null for a code without words, and in English, where its message says more. */
export function wordsOf(error: Error): string | null {
  if (sentences === null || !(error instanceof SignInError || error instanceof VaaniError)) return null
  const { signIn, client } = sentences
  const known =
    error instanceof SignInError ? nameIn(signIn, error.param ?? error.code) : nameIn(client, error.code)
  const meaning = meaningOf(error.code)
  return known ?? (meaning && `${meaning.cause} ${meaning.cure}`)
}
