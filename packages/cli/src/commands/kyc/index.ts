import { type CliCommand, createGroup } from '../../create-command.ts'
import { kycErase } from './erase.ts'
import { kycList } from './list.ts'
import { kycLook } from './look.ts'
import { kycQueue } from './queue.ts'
import { kycReview } from './review.ts'
import { kycStatus } from './status.ts'
import { kycSubmit } from './submit.ts'
import { kycWait } from './wait.ts'

/** `vaani kyc` */
export const kyc: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'kyc',
    description: 'Verify identities and decide reviews',
    commands: [kycSubmit, kycStatus, kycWait, kycList, kycQueue, kycLook, kycReview, kycErase],
  })
