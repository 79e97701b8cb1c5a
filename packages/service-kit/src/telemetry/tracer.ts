import type { SpanPlace } from './active-span.ts'

/**
 * What a span may say of its work, by name: values that the code names, numbers, and ids. A value outside its list becomes
 * `other`, and what does not look like an id is left out, so nothing that a caller sends gets into a span.
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

/** `consumer` goes on with what was stored, `client` asks another service. */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

export interface SpanDescription<Fields extends SpanFields> {
  name: string
  kind: SpanKind
  fields: Fields
  /** What each of them says. */
  constants?: Readonly<Record<string, string>>
}

/** Work under way that is sampled. */
export interface Span<Fields extends SpanFields> extends SpanPlace {
  set(values: SpanValues<Fields>): void
  /** Marks the work as failed, by a fault of ours or of a service that we need. */
  fail(): void
  end(): void
}

/** The spans of one kind of work. */
export interface SpanSource<Fields extends SpanFields> {
  /**
   * Starts a trace; null if it is not sampled.
   *
   * @param parent what a caller says that is to be believed, as a `traceparent`
   * @param link what any other caller says: the span refers to it, and nothing depends on it
   */
  startTrace(options: { parent?: string | undefined; link?: string | undefined }): Span<Fields> | null
  /**
   * Does work as a part of the trace that was stored with it. Without one the work is not traced: the request that it comes
   * from was not sampled.
   */
  run<Result>(
    traceparent: string | null,
    work: (span: Span<Fields> | null) => Promise<Result>,
  ): Promise<Result>
  /** Adds what is over to the trace that was stored with it. */
  record(traceparent: string | null, from: Date, to: Date, values: SpanValues<Fields>): void
}

/** A span of this source; null if the work is not sampled. */
export type SpanOf<Source> = Source extends SpanSource<infer Fields> ? Span<Fields> | null : never

/** Makes the spans of a process. */
export interface Tracer {
  /** Without traces nothing is done for any request. */
  readonly isOn: boolean
  declare<const Fields extends SpanFields>(description: SpanDescription<Fields>): SpanSource<Fields>
}

/** For a process without traces. */
export const NO_TRACES: Tracer = {
  isOn: false,
  declare: () => ({ startTrace: () => null, run: (_, work) => work(null), record: () => undefined }),
}
