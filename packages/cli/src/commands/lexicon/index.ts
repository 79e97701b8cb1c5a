import { type CliCommand, createGroup } from '../../create-command.ts'
import { lexiconDelete } from './delete.ts'
import { lexiconGet } from './get.ts'
import { lexiconList } from './list.ts'
import { lexiconSet } from './set.ts'

/** `vaani lexicon` */
export const lexicon: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'lexicon',
    description: 'List and change how terms are spoken',
    commands: [lexiconGet, lexiconSet, lexiconDelete],
    defaultCommand: lexiconList,
  })
