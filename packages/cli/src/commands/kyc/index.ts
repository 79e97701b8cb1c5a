import { type CliCommand, createGroup } from '../../create-command.ts'
import { kycStatus } from './status.ts'
import { kycSubmit } from './submit.ts'
import { kycWait } from './wait.ts'

/** `vaani kyc` */
export const kyc: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'kyc',
    description: 'Verify identities',
    commands: [kycSubmit, kycStatus, kycWait],
  })
