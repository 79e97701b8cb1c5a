import { Facts } from '../../parts/facts.tsx'
import { meaningOf } from '../../parts/meaning-of.ts'
import { t } from '../../text/text.ts'

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
