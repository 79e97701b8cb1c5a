import type { Vaani } from '@vaani/client'

/** Twenty seconds, so that it plays for as long as it is watched. */
const GREETING = 'One more sentence that is spoken, so that the call lasts a little longer. '.repeat(6)

/** Places a call that lasts for a while, and returns its id once its recording can be heard. */
export async function placeCall(client: Vaani): Promise<string> {
  const agent = { name: 'Narrator', language: 'en-US', voice: 'nova', greeting: GREETING.trim() }
  await client.admin.upsertAgent('narrator', agent)
  const { call_id } = await client.calls.place({ to: '+9779812345678', agent_id: 'narrator' })
  const { status } = await client.calls.waitUntilFinished(call_id)
  if (status !== 'completed') throw new Error(`The call ended as ${status}`)
  return call_id
}
