import { Option } from '@commander-js/extra-typings'
import { parseCount } from './create-command.ts'

const DEFAULT_ITEMS = 20
/** What the service gives in a page at most. */
const MAX_PAGE = 100

/** How much of a list is shown. */
export const limitOption = () =>
  new Option('--limit <count>', 'how many to list, newest first').argParser(parseCount).default(DEFAULT_ITEMS)

export const pageOf = (limit: number): number => Math.min(limit, MAX_PAGE)
