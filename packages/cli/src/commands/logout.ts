import { configFile, removeCredentials } from '../config/credentials.ts'
import { type CliCommand, createCommand } from '../create-command.ts'

/** `vaani logout` */
export const logout: CliCommand = (cli) =>
  createCommand(cli, 'logout')
    .description('Forget the API key; it stays valid until it is revoked')
    .action(async () => {
      await removeCredentials(cli.environment)
      const file = configFile(cli.environment)
      await cli.output.line({ config_file: file }, `Logged out; removed ${file}`)
    })
