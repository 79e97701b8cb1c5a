import { z } from 'zod'

const violationSchema = z.object({
  /** `request` or `response`, then the path within it. */
  location: z.array(z.string()).min(1),
  severity: z.string(),
  code: z.union([z.string(), z.number()]).optional(),
  message: z.string(),
})

/** A difference between the document and a request or its response, as Prism reports it. */
export type Violation = z.infer<typeof violationSchema>

const HEADER = 'sl-violations'

/**
 * Reads the violations that Prism reports in a header of the response.
 *
 * @throws Error if they do not fit into a header
 */
export function readViolations(headers: Headers): Violation[] {
  const text = headers.get(HEADER)
  if (text === null) return []
  if (!text.startsWith('[')) throw new Error(text)
  return z.array(violationSchema).parse(JSON.parse(text))
}

/** Returns the violations that our server must not have: in responses, and in requests that it did not refuse. */
export const faultsOf = (violations: readonly Violation[], status: number): Violation[] =>
  violations.filter(({ location }) => location[0] !== 'request' || status < 400)
