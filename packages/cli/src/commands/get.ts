import { type CliCommand, createCommand, parsePositive } from '../create-command.ts'
import { printAnswer } from '../raw/print-answer.ts'
import { DEFAULT_TIMEOUT_SECONDS, send } from '../raw/send.ts'

/** `vaani get` */
export const get: CliCommand = (cli) =>
  createCommand(cli, 'get')
    .description('Send a GET request and print the response')
    .argument('<path>', 'path with its query, such as /agent/calls?limit=3')
    .option('--out <file>', 'write the response unchanged to a file; - is standard output')
    .option(
      '--timeout <seconds>',
      'time limit for the whole response',
      parsePositive,
      DEFAULT_TIMEOUT_SECONDS,
    )
    .action(async (path, { out, timeout }) => {
      using answer = await send(cli, { method: 'GET', path, timeoutMs: timeout * 1000 })
      await printAnswer(cli, answer, out)
    })
