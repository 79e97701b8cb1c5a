import { SchemaRefusal } from './schema-refusal.ts'

/** Steps for the schemas of one answer: a fraction of a second. */
const MAX_STEPS = 1_000_000

/** Counts the steps that an answer takes, so that its cost is bounded whatever the speed of the machine. */
export class Work {
  #left: number

  constructor(maxSteps = MAX_STEPS) {
    this.#left = maxSteps
  }

  /** @throws SchemaRefusal once the steps are used up */
  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0)
      throw new SchemaRefusal('is too hard for the built-in model, which gives up after a million steps')
  }
}
