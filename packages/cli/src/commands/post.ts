import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { usageError } from '../failure/cli-error.ts'
import type { Cli } from '../cli.ts'
import { type CliCommand, createCommand, parseIdempotencyKey, parsePositive } from '../create-command.ts'
import { readText } from '../files/read-text.ts'
import { printAnswer } from '../raw/print-answer.ts'
import { DEFAULT_TIMEOUT_SECONDS, send } from '../raw/send.ts'

/** Above the limit of the service, including media as base64. */
const MAX_BODY_BYTES = 128 * 1024 * 1024

/** `vaani post` */
export const post: CliCommand = (cli) =>
  createCommand(cli, 'post')
    .description('Send a POST request and print the response')
    .argument('<path>', 'path with its query, such as /agent/calls')
    .option('--data <json>', 'body in JSON; @file reads a file, - reads standard input')
    .option(
      '--idempotency-key <key>',
      'key of a request whose outcome is unknown, to resume it',
      parseIdempotencyKey,
    )
    .option('--out <file>', 'write the response unchanged to a file; - is standard output')
    .option(
      '--timeout <seconds>',
      'time limit for the whole response',
      parsePositive,
      DEFAULT_TIMEOUT_SECONDS,
    )
    .action(async (path, { data, idempotencyKey = randomUUID(), out, timeout }) => {
      const body = data === undefined ? undefined : await readJson(cli, data)
      const timeoutMs = timeout * 1000
      using answer = await send(cli, { method: 'POST', path, body, idempotencyKey, timeoutMs })
      await printAnswer(cli, answer, out)
    })

/** Returns the JSON text unchanged. @throws CliError, which does not quote the text, if it is not JSON */
async function readJson({ environment, signal }: Cli, data: string): Promise<string> {
  const limit = { maxBytes: MAX_BODY_BYTES, signal }
  const text = data.startsWith('@')
    ? await readText(createReadStream(data.slice(1)), limit)
    : data === '-'
      ? await readText(environment.stdin, limit)
      : data
  try {
    JSON.parse(text)
  } catch {
    throw usageError('--data must be JSON')
  }
  return text
}
