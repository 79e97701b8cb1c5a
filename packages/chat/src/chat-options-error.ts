/** One option that is wrong. */
export interface OptionProblem {
  /** Dot path of the option. */
  readonly field: string
  readonly problem: string
}

/** Reports invalid options of a provider. The message does not quote their values. */
export class ChatOptionsError extends Error {
  override readonly name = 'ChatOptionsError'
  /** Dot path of the first invalid option. */
  readonly field: string
  /** All that is wrong, in the order in which it was found. */
  readonly problems: readonly OptionProblem[]

  constructor(field: string, problem: string, more: readonly OptionProblem[] = []) {
    const problems = [{ field, problem }, ...more]
    super(problems.map((one) => `${one.field} ${one.problem}`).join('; '))
    this.field = field
    this.problems = problems
  }
}

/** @throws ChatOptionsError with all problems, if there are any */
export function throwProblems([first, ...more]: readonly OptionProblem[]): void {
  if (first !== undefined) throw new ChatOptionsError(first.field, first.problem, more)
}
