import type { ExitFamily } from './exit-codes.ts'

/** What a command ends with by itself. The message is for the person who typed it. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly family: ExitFamily
  readonly code: string

  constructor(
    message: string,
    { family, code = family, cause }: { family: ExitFamily; code?: string; cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.family = family
    this.code = code
  }
}

export const usageError = (message: string): CliError => new CliError(message, { family: 'usage' })
