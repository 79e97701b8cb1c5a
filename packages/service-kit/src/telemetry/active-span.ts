import { AsyncLocalStorage } from 'node:async_hooks'

/** Where a span stands: its trace, and itself in it. As hexadecimal digits. */
export interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
}

/** The span whose work runs now. Nothing enters it unless the span is sampled, so it costs nothing without traces. */
const active = new AsyncLocalStorage<SpanPlace | undefined>()

/** Runs work as that of a span; as that of none if there is none. */
export function within<Result>(span: SpanPlace | null, work: () => Result): Result {
  // What starts other work, such as the end of an attempt, must not hand on its own span.
  if (span === null && active.getStore() === undefined) return work()
  return active.run(span ?? undefined, work)
}

/** What a line of the log says of the span whose work runs now. A new object each time, because the log adds to it. */
export function describeActiveSpan(): { trace_id?: string; span_id?: string } {
  const span = active.getStore()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

/**
 * The span whose work runs now, as a row keeps it: whatever goes on with the row goes on with the trace, in any process. Null
 * without one.
 */
export function currentTraceparent(): string | null {
  const span = active.getStore()
  return span === undefined ? null : formatTraceparent(span)
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/
const SAMPLED = 1

/** As a header or a row has it (https://www.w3.org/TR/trace-context/#traceparent-header). Only sampled spans are written. */
export const formatTraceparent = ({ traceId, spanId }: SpanPlace): string => `00-${traceId}-${spanId}-01`

/** Null for what is none. */
export function parseTraceparent(text: string): (SpanPlace & { isSampled: boolean }) | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}
