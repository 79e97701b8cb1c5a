import { type CliCommand, createCommand } from '../../create-command.ts'

/** `vaani agents list`, or `vaani agents` */
export const agentsList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List the agents that can speak on calls')
    .action(async () => {
      const client = await cli.connect()
      const { data } = await client.agents.list({ signal: cli.signal })
      await cli.output.list(data, {
        agent_id: (agent) => agent.agent_id,
        language: (agent) => agent.language,
        voice: (agent) => agent.voice,
        name: (agent) => agent.name,
      })
    })
