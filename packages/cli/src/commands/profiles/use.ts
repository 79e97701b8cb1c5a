import { useProfile } from '../../config/profiles.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'

/** `vaani profiles use` */
export const profilesUse: CliCommand = (cli) =>
  createCommand(cli, 'use')
    .description('Use a profile in later commands')
    .argument('<name>', 'name of the profile; `vaani login --profile <name>` creates one')
    .action(async (profile) => {
      const { environment, output } = cli
      await useProfile(environment, profile)
      await output.line({ profile, current: true }, `Commands now use the profile ${profile}`)
      for (const name of ['VAANI_API_KEY', 'VAANI_PROFILE'])
        if (environment.variables[name]) await output.note(`${name} is set and takes precedence`)
    })
