import { z } from 'zod'

const violationSchema = z.object({
  /** `request` or `response`, then where in it. */
  location: z.array(z.string()).min(1),
  severity: z.string(),
  code: z.union([z.string(), z.number()]).optional(),
  message: z.string(),
})

/** What Prism finds against the document in one request or its answer. */
export type Violation = z.infer<typeof violationSchema>

const HEADER = 'sl-violations'

/**
 * The violations that Prism reports of an exchange, in the header that it adds to the answer.
 *
 * @throws Error where they are more than a header can hold
 */
export function readViolations(headers: Headers): Violation[] {
  const text = headers.get(HEADER)
  if (text === null) return []
  if (!text.startsWith('[')) throw new Error(text)
  return z.array(violationSchema).parse(JSON.parse(text))
}

/** Those that no server of ours may have: in answers, and in requests that it did not refuse. */
export const faultsOf = (violations: readonly Violation[], status: number): Violation[] =>
  violations.filter(({ location }) => location[0] !== 'request' || status < 400)
