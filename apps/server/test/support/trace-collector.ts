import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

/** A span as decoded by the collector, with times in nanoseconds since the epoch. */
export interface CollectedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  /** Empty for the root span. */
  parentSpanId: string
  attributes: Readonly<Record<string, string | number>>
  links: readonly { traceId: string; spanId: string }[]
  hasFailed: boolean
  startNanos: bigint
  endNanos: bigint
  /** Attributes of the process. */
  resource: Readonly<Record<string, string | number>>
}

export interface TraceCollector extends AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** Everything received, undecoded. */
  text(): string
  /** Sets the response to later requests: 200 keeps their spans, another status drops them, `hang` never answers. */
  answer(how: number | 'hang'): void
  /** Number of requests received. */
  requests(): number
}

/** Starts a collector that accepts OTLP over HTTP as protobuf. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const bodies: Buffer[] = []
  let how: number | 'hang' = 200
  let requests = 0
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests++
    const sent = await buffer(request)
    if (how === 'hang') return
    if (how === 200) {
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
      bodies.push(body)
      spans.push(...readRequest(body))
    }
    response.writeHead(how, { 'content-type': 'application/x-protobuf' }).end()
  }
  const server = createServer((request, response) => void take(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => Buffer.concat(bodies).toString('latin1'),
    answer: (next) => void (how = next),
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
function readRequest(body: Buffer): CollectedSpan[] {
  return readMessage(body)
    .messages(1)
    .flatMap((ofResource) => {
      const resource = readAttributes(ofResource.messages(1).flatMap((one) => one.messages(1)))
      const ofScopes = ofResource.messages(2).flatMap((scope) => scope.messages(2))
      return ofScopes.map((span) => ({
        name: span.text(5),
        kind: Number(span.number(6)),
        traceId: span.hex(1),
        spanId: span.hex(2),
        parentSpanId: span.hex(4),
        attributes: readAttributes(span.messages(9)),
        links: span.messages(13).map((link) => ({ traceId: link.hex(1), spanId: link.hex(2) })),
        hasFailed: span.messages(15).some((status) => status.number(3) === 2n),
        startNanos: span.number(7),
        endNanos: span.number(8),
        resource,
      }))
    })
}

const readAttributes = (pairs: readonly Message[]): Record<string, string | number> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const value = pair.messages(2)[0]
      return [pair.text(1), value?.has(3) === true ? Number(value.number(3)) : (value?.text(1) ?? '')]
    }),
  )

interface Message {
  has(field: number): boolean
  number(field: number): bigint
  text(field: number): string
  hex(field: number): string
  messages(field: number): Message[]
}

const VARINT = 0n
const FIXED64 = 1n
const BYTES = 2n

/** https://protobuf.dev/programming-guides/encoding/ */
function readMessage(bytes: Buffer): Message {
  const fields: [field: number, value: bigint | Buffer][] = []
  let at = 0
  function readVarint(): bigint {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  function readValue(wire: bigint): bigint | Buffer {
    if (wire === VARINT) return readVarint()
    const length = wire === BYTES ? Number(readVarint()) : wire === FIXED64 ? 8 : 4
    const value = bytes.subarray(at, (at += length))
    return wire === FIXED64 ? value.readBigUInt64LE() : value
  }
  while (at < bytes.length) {
    const key = readVarint()
    fields.push([Number(key >> 3n), readValue(key & 7n)])
  }
  const valuesOf = (field: number) => fields.filter(([one]) => one === field).map(([, value]) => value)
  const buffersOf = (field: number) => valuesOf(field).filter((value) => Buffer.isBuffer(value))
  return {
    has: (field) => valuesOf(field).length > 0,
    number: (field) => valuesOf(field).find((value) => typeof value === 'bigint') ?? 0n,
    text: (field) => buffersOf(field)[0]?.toString() ?? '',
    hex: (field) => buffersOf(field)[0]?.toString('hex') ?? '',
    messages: (field) => buffersOf(field).map(readMessage),
  }
}
