import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { usageError } from '../cli-error.ts'
import type { Cli } from '../cli.ts'
import { type CliCommand, createCommand, parseIdempotencyKey, parsePositive } from '../create-command.ts'
import { readText } from '../files/read-text.ts'
import { printAnswer } from '../raw/print-answer.ts'
import { DEFAULT_TIMEOUT_SECONDS, send } from '../raw/send.ts'

/** Above what the service takes, media as base64 included. */
const MAX_BODY_BYTES = 128 * 1024 * 1024

/** `vaani post` */
export const post: CliCommand = (cli) =>
  createCommand(cli, 'post')
    .description('Send a POST request and print the answer')
    .argument('<path>', 'path with its query, such as /agent/calls')
    .option('--data <json>', 'body in JSON; @file reads a file, - standard input')
    .option(
      '--idempotency-key <key>',
      'of a request whose outcome is unknown, to go on with it',
      parseIdempotencyKey,
    )
    .option('--out <file>', 'write the answer as it is; - is standard output')
    .option('--timeout <seconds>', 'for the whole answer', parsePositive, DEFAULT_TIMEOUT_SECONDS)
    .action(async (path, { data, idempotencyKey = randomUUID(), out, timeout }) => {
      const body = data === undefined ? undefined : await readJson(cli, data)
      const timeoutMs = timeout * 1000
      using answer = await send(cli, { method: 'POST', path, body, idempotencyKey, timeoutMs })
      await printAnswer(cli, answer, out)
    })

/** The JSON as it is given. @throws CliError, which does not quote it, if it is no JSON */
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
