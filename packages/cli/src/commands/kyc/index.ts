import { type CliCommand, createGroup } from '../../create-command.ts'
import { kycAsk } from './ask.ts'
import { kycClaim } from './claim.ts'
import { kycCounts } from './counts.ts'
import { kycErase } from './erase.ts'
import { kycFrames } from './frames.ts'
import { kycHistory } from './history.ts'
import { kycList } from './list.ts'
import { kycLook } from './look.ts'
import { kycNote } from './note.ts'
import { kycQueue } from './queue.ts'
import { kycRelease } from './release.ts'
import { kycReview } from './review.ts'
import { kycStatus } from './status.ts'
import { kycSubject } from './subject.ts'
import { kycSubmit } from './submit.ts'
import { kycWait } from './wait.ts'

/** `vaani kyc` */
export const kyc: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'kyc',
    description: 'Verify identities and decide reviews',
    commands: [
      kycSubmit,
      kycStatus,
      kycWait,
      kycList,
      kycSubject,
      kycQueue,
      kycCounts,
      kycClaim,
      kycLook,
      kycFrames,
      kycNote,
      kycAsk,
      kycHistory,
      kycRelease,
      kycReview,
      kycErase,
    ],
  })
