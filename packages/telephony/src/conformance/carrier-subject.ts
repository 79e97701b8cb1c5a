import type { CallEnded, Carrier, CarrierCall, CarrierEvent, DialRequest } from '../carrier.ts'
import { FRAME_DURATION_MS } from '../carrier.ts'

/** A carrier under test, and what the tests need to know of its surroundings. */
export interface CarrierSubject {
  readonly carrier: Carrier
  /** Numbers that behave as named; the tests of an absent one are not run. */
  readonly numbers: {
    readonly answers: string
    readonly busy?: string
    readonly rejects?: string
    readonly neverAnswers?: string
    readonly unreachable?: string
  }
  /** Where the call under test is to be recorded. */
  readonly recordingPath: string
  /** Lets about this much of the phone's time pass. */
  passTime(durationMs: number): Promise<void>
  /** What the far end of an ended call heard, at the carrier's rate. */
  heard(ended: CallEnded): Promise<Int16Array>
  /** How much a sample may differ, for carriers with a lossy codec. Default 0. */
  readonly sampleTolerance?: number
}

/** One promise that every carrier keeps. */
export interface ConformanceCase {
  readonly name: string
  /** The number without which the case does not apply. */
  readonly needs?: keyof CarrierSubject['numbers']
  /** Throws an `AssertionError` if the promise is broken. The carrier may be closed afterwards. */
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

/** For cases in which nobody must answer however slowly the test runs. */
export function unanswered({ numbers }: CarrierSubject): Pick<DialRequest, 'to'> {
  return { to: numbers.neverAnswers ?? numbers.answers }
}

/** Lets time pass until the promise is settled. A promise that never is shows as the test runner's time-out. */
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

/** Reads events up to the first of this type, which it returns. */
export async function eventOf<Type extends CarrierEvent['type']>(
  call: CarrierCall,
  type: Type,
): Promise<Extract<CarrierEvent, { type: Type }>> {
  const isWanted = (event: CarrierEvent): event is Extract<CarrierEvent, { type: Type }> =>
    event.type === type
  for await (const event of call.events) if (isWanted(event)) return event
  throw new Error(`The call ended without \`${type}\``)
}

/** Frames of one constant level: what is easy to find again after a codec. */
export function framesOfLevel(
  subject: CarrierSubject,
  level: number,
  durationMs: number,
): Int16Array<ArrayBuffer> {
  return new Int16Array((subject.carrier.sampleRateHz * durationMs) / 1000).fill(level)
}

/** How long each of the levels was heard, in the order of its first sample; silence and edges are left out. */
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
