import { readProfiles } from '../../config/profiles.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'

/** `vaani profiles list`, or `vaani profiles` */
export const profilesList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List the profiles that have a key')
    .action(async () => {
      await cli.output.list(await readProfiles(cli.environment), {
        profile: ({ profile }) => profile,
        current: ({ current }) => (current ? 'yes' : ''),
        base_url: ({ base_url }) => base_url,
      })
    })
