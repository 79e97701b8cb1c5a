import { Option } from '@commander-js/extra-typings'
import { parseCount } from '../create-command.ts'

const DEFAULT_ITEMS = 20
/** Maximum page size of the service. */
const MAX_PAGE = 100

/** Returns the option that limits how much of a list is shown. */
export const limitOption = (order: 'newest' | 'oldest' = 'newest') =>
  new Option('--limit <count>', `maximum number to list, ${order} first`)
    .argParser(parseCount)
    .default(DEFAULT_ITEMS)

export const pageOf = (limit: number): number => Math.min(limit, MAX_PAGE)
