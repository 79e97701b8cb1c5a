/** Audio in hand from which a stream waits for those that have less. */
const STEPS_MS = [200, 400, 800, 1600, 3000] as const

/**
 * Lets streams of one process share it: one whose listener has audio in hand takes no more while another has less. Alone, a
 * stream is read as fast as it can be; among many, at least as fast as it is played.
 */
export interface SpeechPacer {
  /** Adds a stream that waits for its first audio. */
  open(): Pace
}

/** The place of a stream among the others. */
export interface Pace {
  /** Returns how much of the audio that was sent could not have been played yet, in milliseconds. */
  aheadMs(): number
  /** Notes whether the stream waits for audio. Until it has some, streams with more in hand wait for it. */
  want(wanted: boolean): void
  /** Returns whether the stream must wait. */
  mustWait(): boolean
  /** Resolves when another look at `mustWait` is due. */
  changed(): Promise<void>
  /** Notes audio that was taken. */
  took(durationMs: number): void
  /** Notes that the audio in hand is not played. */
  drop(): void
  /** Removes the stream. Idempotent. */
  close(): void
}

/**
 * @param nowMs - default `performance.now`
 * @example
 * const pacer = createSpeechPacer()
 * for (const [text, speaker] of speakers)
 *   void speaker.play(streamSpeech({ engine, text, voice: 'nova', language: 'en-US', emotion: 'warm', speed: 1, pacer }))
 */
export function createSpeechPacer(nowMs: () => number = () => performance.now()): SpeechPacer {
  /** How many streams want audio on each step. */
  const wanting = [...STEPS_MS.map(() => 0), 0]
  const waiters = new Set<() => void>()
  let isWakeDue = false

  const stepOf = (aheadMs: number): number => STEPS_MS.filter((step) => aheadMs >= step).length

  function wakeAll(): void {
    for (const wake of waiters) wake()
  }
  /** Later, because the stream that wants no more for now often does so again in the same turn. */
  function wakeSoon(): void {
    if (isWakeDue || waiters.size === 0) return
    isWakeDue = true
    setImmediate(() => {
      isWakeDue = false
      wakeAll()
    })
  }

  function open(): Pace {
    let playedAtMs = nowMs()
    let wantedStep: number | undefined
    let isOpen = true
    let wake = () => {}
    const aheadMs = () => Math.max(0, playedAtMs - nowMs())

    function want(wanted: boolean): void {
      const step = wanted ? stepOf(aheadMs()) : undefined
      if (step === wantedStep) return
      if (step !== undefined) wanting[step] = (wanting[step] ?? 0) + 1
      if (wantedStep !== undefined) {
        const left = (wanting[wantedStep] ?? 0) - 1
        wanting[wantedStep] = left
        if (left === 0) wakeSoon()
      }
      wantedStep = step
    }

    const isPreceded = (step: number): boolean => wanting.slice(0, step).some((count) => count > 0)
    want(true)
    return {
      aheadMs,
      want,
      mustWait: () => isOpen && isPreceded(stepOf(aheadMs())),
      async changed() {
        const nowAheadMs = aheadMs()
        const nextStepMs = STEPS_MS.findLast((step) => nowAheadMs >= step)
        if (nextStepMs === undefined) return
        await new Promise<void>((resolve) => {
          const timer = setTimeout(() => wake(), nowAheadMs - nextStepMs + 1)
          wake = () => {
            clearTimeout(timer)
            waiters.delete(wake)
            resolve()
          }
          waiters.add(wake)
        })
      },
      took(durationMs) {
        playedAtMs = Math.max(playedAtMs, nowMs()) + durationMs
      },
      drop() {
        playedAtMs = nowMs()
        wake()
      },
      close() {
        isOpen = false
        want(false)
        wake()
      },
    }
  }
  return { open }
}
