import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { CliEnvironment } from '../cli-environment.ts'
import { CliError } from '../failure/cli-error.ts'

/** Asked on standard error, because standard output is for results. */
export interface Question {
  readonly text: string
  /** Hides the typed text. */
  readonly isSecret?: boolean
}

/**
 * Asks a person on the terminal one question after the other.
 *
 * @returns the answers in order, even if several lines are pasted at once
 * @throws CliError on Ctrl-C, which is an ordinary key while a line is read, and on Ctrl-D
 * @throws the signal's reason
 */
export function ask(
  { stdin, stderr, signal }: Pick<CliEnvironment, 'stdin' | 'stderr' | 'signal'>,
  questions: readonly Question[],
): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  const answers: string[] = []
  const current = (): Question | undefined => questions[answers.length]
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!current()?.isSecret) stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: stdin, output: echo, terminal: true, historySize: 0 })
  const prompt = ({ text, isSecret }: Question): void => {
    if (isSecret) stderr.write(text)
    else {
      lines.setPrompt(text)
      lines.prompt()
    }
  }
  const next = (): void => {
    const question = current()
    if (question) prompt(question)
    else resolve(answers)
  }
  lines.on('line', (line) => {
    const question = current()
    if (question === undefined) return
    if (question.isSecret) stderr.write('\n')
    answers.push(line.trim())
    next()
  })
  const abort = (): void => reject(signal.reason)
  lines.once('SIGINT', () => lines.close())
  lines.once('close', () => {
    if (current()) stderr.write('\n')
    reject(new CliError('no answer was given', { family: 'interrupted' }))
  })
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  next()
  return promise.finally(() => {
    signal.removeEventListener('abort', abort)
    lines.close()
  })
}
