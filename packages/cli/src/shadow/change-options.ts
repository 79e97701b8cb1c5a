import { Option } from '@commander-js/extra-typings'
import type { Cli } from '../cli.ts'

export const reasonOption = () => new Option('--reason <text>', 'why, for the history').makeOptionMandatory()

/** Names the person in the history: by default, as the system does. */
export const actorOption = ({ environment: { variables } }: Pick<Cli, 'environment'>) =>
  new Option('--actor <name>', 'who does it, for the history').default(
    variables['USER'] || variables['LOGNAME'] || undefined,
    'your user name',
  )
