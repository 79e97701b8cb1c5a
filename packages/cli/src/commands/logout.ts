import { configFile, removeCredentials } from '../config/credentials.ts'
import { profileName } from '../config/profile-name.ts'
import { type CliCommand, createCommand } from '../create-command.ts'

/** `vaani logout` */
export const logout: CliCommand = (cli) =>
  createCommand(cli, 'logout')
    .description('Remove the stored API key; it stays valid until it is revoked')
    .action(async () => {
      const { environment, output } = cli
      const profile = await profileName(environment, cli.profile())
      const file = configFile(environment, profile)
      const removed = await removeCredentials(environment, profile)
      const isInEnvironment = Boolean(environment.variables['VAANI_API_KEY'])
      await output.line(
        { profile, config_file: file, removed, key_in_environment: isInEnvironment },
        removed
          ? `Removed the key in ${file}; it stays valid until \`vaani keys revoke\``
          : `No key was stored in ${file}`,
      )
      if (isInEnvironment) await output.note('VAANI_API_KEY is still set: commands use that key')
    })
