import { PassThrough } from 'node:stream'
import { runCli } from '@vaani/cli'
import { expect } from 'vitest'

export interface Run {
  readonly code: number
  readonly bytes: Buffer
  readonly stdout: string
  readonly stderr: string
}

/** Creates a runner for CLI command lines in this process. */
export function createCommandLine(
  current: () => { readonly variables: Readonly<Record<string, string>>; readonly homeDirectory: string },
) {
  async function vaani(
    commandLine: readonly string[],
    options: { stdin?: string | Uint8Array; isTerminal?: boolean; variables?: Record<string, string> } = {},
  ): Promise<Run> {
    const { stdin = '', isTerminal = false, variables } = options
    const terminal = (stream = new PassThrough()) => Object.assign(stream, { isTTY: isTerminal })
    const [input, output, errors] = [terminal(), terminal(), terminal()]
    input.end(stdin)
    const read = [output, errors].map((stream) => Array.fromAsync<Buffer>(stream).then(Buffer.concat))
    const code = await runCli(commandLine, {
      ...current(),
      ...(variables && { variables }),
      stdin: input,
      stdout: output,
      stderr: errors,
      signal: new AbortController().signal,
    })
    output.end()
    errors.end()
    const [bytes = Buffer.of(), printedErrors = Buffer.of()] = await Promise.all(read)
    return { code, bytes, stdout: bytes.toString(), stderr: printedErrors.toString() }
  }

  /** Runs a command line with `--json` and parses the lines that it prints. */
  async function json<Value>(...commandLine: readonly string[]): Promise<Value[]> {
    const { code, stdout, stderr } = await vaani([...commandLine, '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Value => JSON.parse(line))
  }

  return { vaani, json }
}
