import { type CliCommand, createGroup } from '../../create-command.ts'
import { shadowAcknowledge } from './acknowledge.ts'
import { shadowCheck } from './check.ts'
import { shadowKill } from './kill.ts'
import { shadowMismatches } from './mismatches.ts'
import { shadowPair } from './pair.ts'
import { shadowPromote } from './promote.ts'
import { shadowRamp } from './ramp.ts'
import { shadowReplay } from './replay.ts'
import { shadowReport } from './report.ts'
import { shadowRollback } from './rollback.ts'
import { shadowStatus } from './status.ts'

/** `vaani shadow` */
export const shadow: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'shadow',
    description: 'Move KYC traffic from v1 to v2 on evidence, through a migration worker',
    commands: [
      shadowCheck,
      shadowStatus,
      shadowRamp,
      shadowPromote,
      shadowRollback,
      shadowKill,
      shadowMismatches,
      shadowPair,
      shadowAcknowledge,
      shadowReport,
      shadowReplay,
    ],
  })
