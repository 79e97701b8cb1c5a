/** A program under test: places a call and says how it ended, once its webhook has come. */
export async function remind(vaani, to) {
  const [agent] = (await vaani.agents.list()).data
  const { call_id } = await vaani.calls.place({ to, agent_id: agent.agent_id, metadata: { name: 'Sita' } })
  return call_id
}
