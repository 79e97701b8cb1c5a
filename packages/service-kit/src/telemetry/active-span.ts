import { AsyncLocalStorage } from 'node:async_hooks'

/** The ids of a span and its trace, in hexadecimal. */
export interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
}

/** The span of the current work. Set only for sampled spans, so it costs nothing without traces. */
const active = new AsyncLocalStorage<SpanPlace | undefined>()

/** Runs work in the context of a span, or without a span if it is null. */
export function within<Result>(span: SpanPlace | null, work: () => Result): Result {
  // Clear an active span, because work that starts other work, e.g. the end of an attempt, must not pass its own span on.
  if (span === null && active.getStore() === undefined) return work()
  return active.run(span ?? undefined, work)
}

/** Returns the log fields of the active span. A new object each time, because the logger adds to it. */
export function describeActiveSpan(): { trace_id?: string; span_id?: string } {
  const span = active.getStore()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

/**
 * Returns the `traceparent` of the active span, to store in a row, so that later work on the row continues the trace in any
 * process. Null without a span.
 */
export function currentTraceparent(): string | null {
  const span = active.getStore()
  return span === undefined ? null : formatTraceparent(span)
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/
const SAMPLED = 1

/** Formats a `traceparent` (https://www.w3.org/TR/trace-context/#traceparent-header). Only sampled spans are written. */
export const formatTraceparent = ({ traceId, spanId }: SpanPlace): string => `00-${traceId}-${spanId}-01`

/** Parses a `traceparent`; returns null if it is invalid. */
export function parseTraceparent(text: string): (SpanPlace & { isSampled: boolean }) | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}
