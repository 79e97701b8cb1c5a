import { type RunningVaani, startServerProcess, type StartVaaniOptions } from '@vaani/test-harness'
import { findServerEntry } from './server-entry.ts'

/**
 * Starts a real server in a separate process, on a free port of this machine and with its own database. It can reach webhook
 * receivers on this machine, and ends with the process that started it.
 *
 * @throws Error with the server's output, if it could not start; RangeError if `now` is in the past or not a valid date
 *
 * @example
 * await using vaani = await startVaani({ now: new Date('2030-01-01T09:00:00Z') })
 * const [agent] = (await vaani.client.agents.list()).data
 * const call = await vaani.client.calls.place({ to: '+9779812345678', agent_id: agent.agent_id })
 * await vaani.client.calls.waitUntilFinished(call.call_id)
 */
export async function startVaani(options: StartVaaniOptions = {}): Promise<RunningVaani> {
  return await startServerProcess(findServerEntry(), options)
}
