import {
  type Context,
  ROOT_CONTEXT,
  type Span as LibrarySpan,
  SpanKind as LibraryKind,
  SpanStatusCode,
  type SpanContext,
  trace,
  TraceFlags,
  type Tracer as LibraryTracer,
} from '@opentelemetry/api'
import { parseTraceparent, within } from './active-span.ts'
import { OTHER } from './meter.ts'
import type { Span, SpanDescription, SpanFields, SpanKind, SpanSource, SpanValues, Tracer } from './tracer.ts'

const KINDS = {
  internal: LibraryKind.INTERNAL,
  server: LibraryKind.SERVER,
  client: LibraryKind.CLIENT,
  consumer: LibraryKind.CONSUMER,
} satisfies Record<SpanKind, LibraryKind>

/** Our ids, and request ids, which callers may choose. */
const ID = /^[A-Za-z0-9._-]{1,128}$/

/**
 * Creates spans with a tracer of the library. They contain only declared fields, and never a message, a stack or an event.
 *
 * @param mayStart called for each trace without a parent before the library, which would make a span even for a dropped trace
 */
export const createTracer = (library: LibraryTracer, mayStart = (): boolean => true): Tracer => ({
  isOn: true,
  declare: (description) => createSource(library, mayStart, description),
})

function createSource<Fields extends SpanFields>(
  library: LibraryTracer,
  mayStart: () => boolean,
  { name, kind, fields, constants = {} }: SpanDescription<Fields>,
): SpanSource<Fields> {
  const close = closerOf(fields)

  function start(parent: Context, startTime?: Date): LibrarySpan | null {
    const span = library.startSpan(name, { kind: KINDS[kind], ...(startTime && { startTime }) }, parent)
    if (!span.isRecording()) return null
    span.setAttributes(constants)
    return span
  }

  function wrap(span: LibrarySpan): Span<Fields> {
    const { traceId, spanId } = span.spanContext()
    return {
      traceId,
      spanId,
      set: (values) => void span.setAttributes(close(values)),
      fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
      end: () => span.end(),
    }
  }

  return {
    startTrace({ parent, link }) {
      const origin = contextOf(parent)
      if (origin === null && !mayStart()) return null
      const span = start(origin ?? ROOT_CONTEXT)
      if (span === null) return null
      const linked = link === undefined ? null : spanContextOf(link)
      if (linked !== null) span.addLink({ context: linked })
      return wrap(span)
    },
    async run(traceparent, work) {
      const parent = contextOf(traceparent)
      const span = parent === null ? null : start(parent)
      if (span === null) return within(null, () => work(null))
      const wrapped = wrap(span)
      try {
        return await within(wrapped, () => work(wrapped))
      } catch (error) {
        wrapped.fail()
        throw error
      } finally {
        wrapped.end()
      }
    },
    record(traceparent, from, to, values) {
      const parent = contextOf(traceparent)
      const span = parent === null ? null : start(parent, from)
      if (span === null) return
      span.setAttributes(close(values))
      span.end(to)
    },
  }
}

function spanContextOf(traceparent: string): SpanContext | null {
  const place = parseTraceparent(traceparent)
  if (place === null) return null
  const { traceId, spanId, isSampled } = place
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true }
}

function contextOf(traceparent: string | null | undefined): Context | null {
  const context = traceparent === null || traceparent === undefined ? null : spanContextOf(traceparent)
  return context === null ? null : trace.setSpanContext(ROOT_CONTEXT, context)
}

/** Creates a function that reduces values to those that a span may contain. */
function closerOf<Fields extends SpanFields>(
  fields: Fields,
): (values: SpanValues<Fields>) => Record<string, string | number> {
  const closed = Object.entries(fields).map(
    ([name, field]) => [name, typeof field === 'string' ? field : new Set(field)] as const,
  )
  return (values) => {
    const shown: Record<string, string | number> = {}
    for (const [name, field] of closed) {
      const value: unknown = values[name]
      if (field === 'number') {
        if (typeof value === 'number') shown[name] = value
      } else if (typeof value === 'string') {
        if (field !== 'id') shown[name] = field.has(value) ? value : OTHER
        else if (ID.test(value)) shown[name] = value
      }
    }
    return shown
  }
}
