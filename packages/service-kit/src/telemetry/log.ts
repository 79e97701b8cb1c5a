import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino'
import { describeActiveSpan } from './active-span.ts'
import { createLogOutput, type LogOutput } from './log-output.ts'

export type { Logger } from 'pino'

/** Fields that a log line may contain besides the message. Any other field could leak personal data. */
const ALLOWED_FIELDS = new Set([
  'request_id',
  'account_id',
  'key_id',
  'call_id',
  'batch_id',
  'document_id',
  'verification_id',
  'event_id',
  'endpoint_id',
  'worker_id',
  'pair_id',
  'operation',
  'method',
  'route',
  'status',
  'duration_ms',
  'code',
  'error',
  'event',
  'count',
  'address',
  'roles',
  'state',
  'reason',
  'attempt',
  'store',
  'outcome',
  'carrier',
  'engine',
  'upstream',
  'model',
  'queue',
  'limit',
  'signal',
  'first_byte_ms',
  'trace_id',
  'span_id',
])

/** Describes an error by code and stack frames only, because messages of libraries may quote their input. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames =
    error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()) ?? []
  return { type: error.name, ...(code !== undefined && { code }), at: frames.slice(0, 8) }
}

function keepAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields))
    if (ALLOWED_FIELDS.has(name)) kept[name] = name === 'error' ? describeError(value) : value
  return kept
}

export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: stdTimeFunctions.isoTime,
  formatters: { log: keepAllowed },
  mixin: describeActiveSpan,
})

const STANDARD_OUTPUT = 1
let output: LogOutput | undefined

export const createLogger = (level: string): Logger => pino(loggerOptions(level), (output ??= openOutput()))

function openOutput(): LogOutput {
  const opened = createLogOutput(STANDARD_OUTPUT)
  process.once('exit', opened.flush)
  return opened
}
