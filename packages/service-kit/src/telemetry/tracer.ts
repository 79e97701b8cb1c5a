import type { SpanPlace } from './active-span.ts'

/**
 * The fields that a span may have, by name: constants in the code, numbers, and ids. An unlisted value becomes `other`, and
 * text that does not look like an id is omitted, so that no free text of a caller gets into a span.
 */
export type SpanFields = Readonly<Record<string, readonly string[] | 'number' | 'id'>>

type ValueOf<Field> = Field extends readonly string[]
  ? Field[number]
  : Field extends 'number'
    ? number
    : string
export type SpanValues<Fields extends SpanFields> = {
  readonly [Name in keyof Fields]?: ValueOf<Fields[Name]>
}

/** `consumer` continues stored work; `client` calls another service. */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

export interface SpanDescription<Fields extends SpanFields> {
  name: string
  kind: SpanKind
  fields: Fields
  /** Attributes that are the same for every span. */
  constants?: Readonly<Record<string, string>>
}

/** A span of running, sampled work. */
export interface Span<Fields extends SpanFields> extends SpanPlace {
  set(values: SpanValues<Fields>): void
  /** Marks the work as failed because of an error of ours or of a service that we depend on. */
  fail(): void
  end(): void
}

/** The spans of one kind of work. */
export interface SpanSource<Fields extends SpanFields> {
  /**
   * Starts a trace; null if it is not sampled.
   *
   * @param parent `traceparent` from a trusted caller
   * @param link `traceparent` from any other caller: the span links to it, but nothing depends on it
   */
  startTrace(options: { parent?: string | undefined; link?: string | undefined }): Span<Fields> | null
  /**
   * Runs work as a part of the trace that was stored with it. Without one, the work is not traced, because the request that
   * caused it was not sampled.
   */
  run<Result>(
    traceparent: string | null,
    work: (span: Span<Fields> | null) => Promise<Result>,
  ): Promise<Result>
  /** Adds a span of finished work to the trace that was stored with it. */
  record(traceparent: string | null, from: Date, to: Date, values: SpanValues<Fields>): void
}

/** A span of this source; null if the work is not sampled. */
export type SpanOf<Source> = Source extends SpanSource<infer Fields> ? Span<Fields> | null : never

/** Creates the spans of a process. */
export interface Tracer {
  /** If false, requests skip tracing altogether. */
  readonly isOn: boolean
  declare<const Fields extends SpanFields>(description: SpanDescription<Fields>): SpanSource<Fields>
}

/** For a process without traces. */
export const NO_TRACES: Tracer = {
  isOn: false,
  declare: () => ({ startTrace: () => null, run: (_, work) => work(null), record: () => undefined }),
}
