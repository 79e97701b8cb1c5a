import type { Clock } from '../clock.ts'

/** Named timers of one transaction, on a clock. */
export class TimerSet<Name extends string> {
  readonly #clock: Clock
  readonly #cancels = new Map<Name, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Starts a timer, instead of an earlier one of that name. */
  arm(name: Name, delayMs: number, action: () => void): void {
    this.disarm(name)
    const fire = () => {
      this.#cancels.delete(name)
      action()
    }
    this.#cancels.set(name, this.#clock.after(delayMs, fire))
  }

  disarm(name: Name): void {
    this.#cancels.get(name)?.()
    this.#cancels.delete(name)
  }

  clear(): void {
    for (const cancel of this.#cancels.values()) cancel()
    this.#cancels.clear()
  }
}
