import type { CallEnded, Carrier, CarrierCall, CarrierEvent, DialRequest } from '../carrier.ts'
import { FRAME_DURATION_MS } from '../carrier.ts'

/** A carrier under test and its environment. */
export interface CarrierSubject {
  readonly carrier: Carrier
  /** Numbers that behave as named. If one is absent, the cases that need it do not run. */
  readonly numbers: {
    readonly answers: string
    readonly busy?: string
    readonly rejects?: string
    readonly neverAnswers?: string
    readonly unreachable?: string
  }
  /** Path for the recording of the call under test. */
  readonly recordingPath: string
  /** Advances the phone's time by about this much. */
  passTime(durationMs: number): Promise<void>
  /** Returns the audio that the far end of an ended call heard, at the carrier's rate. */
  heard(ended: CallEnded): Promise<Int16Array>
  /** Allowed difference per sample, for carriers with a lossy codec. Default 0. */
  readonly sampleTolerance?: number
}

/** One guarantee of every carrier. */
export interface ConformanceCase {
  readonly name: string
  /** Number that the case needs; without it the case does not apply. */
  readonly needs?: keyof CarrierSubject['numbers']
  /** Throws an `AssertionError` if the carrier breaks the guarantee. The carrier may be closed afterwards. */
  run(subject: CarrierSubject): Promise<void>
}

/** Dials the number that answers, with generous limits. */
export function dialSubject(subject: CarrierSubject, changes: Partial<DialRequest> = {}): CarrierCall {
  return subject.carrier.dial({
    callId: 'conformance',
    to: subject.numbers.answers,
    ringTimeoutMs: 45_000,
    maxDurationMs: 60_000,
    recordingPath: subject.recordingPath,
    ...changes,
  })
}

/** Changes to a dial request for cases in which the call must not be answered, even if the test runs slowly. */
export function unanswered({ numbers }: CarrierSubject): Pick<DialRequest, 'to'> {
  return { to: numbers.neverAnswers ?? numbers.answers }
}

/** Advances time until the promise settles. If it never does, the test runner times out. */
export async function whileTimePasses<Value>(
  subject: CarrierSubject,
  promise: Promise<Value>,
): Promise<Value> {
  let isPending = true
  const settled = () => (isPending = false)
  promise.then(settled, settled)
  const pending = () => isPending
  while (pending()) await subject.passTime(FRAME_DURATION_MS)
  return promise
}

/** Reads events up to the first of this type and returns it. */
export async function eventOf<Type extends CarrierEvent['type']>(
  call: CarrierCall,
  type: Type,
): Promise<Extract<CarrierEvent, { type: Type }>> {
  const isWanted = (event: CarrierEvent): event is Extract<CarrierEvent, { type: Type }> =>
    event.type === type
  for await (const event of call.events) if (isWanted(event)) return event
  throw new Error(`The call ended without \`${type}\``)
}

/** Makes frames of a constant level, which is easy to recognize after a codec. */
export function framesOfLevel(
  subject: CarrierSubject,
  level: number,
  durationMs: number,
): Int16Array<ArrayBuffer> {
  return new Int16Array((subject.carrier.sampleRateHz * durationMs) / 1000).fill(level)
}

/** Returns how long each run of a level was heard, in order, leaving out silence and edges. */
export function levelsHeard(
  subject: CarrierSubject,
  heard: Int16Array,
  levels: readonly number[],
): { readonly level: number; readonly durationMs: number }[] {
  const { sampleTolerance = 0, carrier } = subject
  const runs: { level: number; samples: number }[] = []
  for (const sample of heard) {
    const level = levels.find((candidate) => Math.abs(sample - candidate) <= sampleTolerance)
    const last = runs.at(-1)
    if (level === undefined) continue
    if (last?.level === level) last.samples += 1
    else runs.push({ level, samples: 1 })
  }
  const shortestMs = FRAME_DURATION_MS / 2
  return runs
    .map(({ level, samples }) => ({ level, durationMs: (samples * 1000) / carrier.sampleRateHz }))
    .filter(({ durationMs }) => durationMs >= shortestMs)
}
