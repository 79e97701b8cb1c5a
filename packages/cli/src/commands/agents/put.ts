import { type CliCommand, createCommand, parseId, parsePairs } from '../../create-command.ts'

/** `vaani agents put` */
export const agentsPut: CliCommand = (cli) =>
  createCommand(cli, 'put')
    .description('Create or replace an agent')
    .argument('<agent_id>', 'id of the agent', parseId)
    .requiredOption('--name <name>', 'name of the agent')
    .requiredOption('--language <tag>', 'language of the greeting, such as ne-NP')
    .requiredOption('--voice <voice>', 'nova, atlas or the id of a cloned voice')
    .requiredOption(
      '--greeting <text>',
      'what the agent says; {{name}} is filled in from the metadata of the call',
    )
    .option('--translation <tag=text...>', 'the greeting in other languages', parsePairs)
    .action(async (agentId, { translation, ...agent }) => {
      const client = await cli.connect()
      const request = { ...agent, translations: translation }
      await cli.output.resource(await client.admin.upsertAgent(agentId, request, { signal: cli.signal }))
    })
