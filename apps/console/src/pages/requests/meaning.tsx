import { Facts } from '../../parts/facts.tsx'
import type { Meaning as MeaningOf } from '../../text/en-requests.ts'
import { t } from '../../text/text.ts'

const isKnown = (code: string): code is keyof typeof t.requests.codes => Object.hasOwn(t.requests.codes, code)

/** Why requests are refused with an error code, and what helps; null for a code of a later server. */
export const meaningOf = (code: string): MeaningOf | null => (isKnown(code) ? t.requests.codes[code] : null)

/** The cause of an error and what helps, as two sentences. */
export function Meaning({ code }: { code: string }) {
  const meaning = meaningOf(code)
  return (
    meaning !== null && (
      <Facts
        of={[
          [t.requests.cause, meaning.cause],
          [t.requests.cure, meaning.cure],
        ]}
      />
    )
  )
}
