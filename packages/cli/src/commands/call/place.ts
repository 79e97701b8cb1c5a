import { CliError } from '../../failure/cli-error.ts'
import {
  type CliCommand,
  createCommand,
  parseIdempotencyKey,
  parsePairs,
  parsePositive,
} from '../../create-command.ts'
import { follow } from '../../resources/follow.ts'

const INTERVALS_MS = [500, 5000] as const
/** Enough for dialling, 15 minutes of speaking, and a margin. */
const DEFAULT_TIMEOUT_SECONDS = 18 * 60

/** `vaani call place` */
export const callPlace: CliCommand = (cli) =>
  createCommand(cli, 'place')
    .description('Place a call')
    .argument('<to>', 'number to call in E.164, such as +9779812345678')
    .requiredOption('--agent <agent_id>', 'agent that speaks; `vaani agents` lists them')
    .option('--at <time>', 'when to dial, in ISO 8601 with a UTC offset; default: now')
    .option('--from <number>', 'a verified caller id, in E.164')
    .option('--language <tag>', 'language of the agent, such as ne-NP')
    .option('--metadata <name=value...>', 'pairs that fill the greeting, and are echoed in reads', parsePairs)
    .option(
      '--idempotency-key <key>',
      'key of a request whose outcome is unknown, to resume it',
      parseIdempotencyKey,
    )
    .option('--wait', 'print each status until the call has ended')
    .option('--timeout <seconds>', 'maximum time to wait', parsePositive, DEFAULT_TIMEOUT_SECONDS)
    .action(async (to, { agent, at, from, language, metadata, idempotencyKey, wait, timeout }) => {
      const { output, signal } = cli
      const client = await cli.connect()
      const request = { to, agent_id: agent, scheduled_at: at, from_caller_id: from, language, metadata }
      const placed = await client.calls.place(request, {
        signal,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      })
      if (!wait) return output.resource(placed)
      const { call_id: id } = placed
      const ended = await follow(cli, {
        operation: 'calls.retrieve',
        id,
        first: placed,
        read: () => client.calls.retrieve(id, { signal, maxRetries: 0 }),
        statusOf: ({ status }) => status,
        isFinal: (status) => status === 'completed' || status === 'failed',
        onStatus: (call) => output.line(call, `${id}  ${output.status(call.status)}`),
        forMs: timeout * 1000,
        intervalsMs: INTERVALS_MS,
      })
      if (!output.isJson) await output.resource(ended)
      if (ended.status !== 'failed') return
      const reason = ended.failure_reason ?? 'unknown reason'
      throw new CliError(`the call failed: ${reason}`, { family: 'unsuccessful', code: 'call_failed' })
    })
