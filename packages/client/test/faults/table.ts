import { aborts } from './aborts.ts'
import { errors } from './errors.ts'
import type { Fault } from './fault.ts'
import { retries } from './retries.ts'
import { sockets } from './sockets.ts'
import { streams } from './streams.ts'
import { uploads } from './uploads.ts'

/** Every row of the fault table, which the README excerpts. */
export const faultTable: readonly Fault[] = [
  ...retries,
  ...streams,
  ...uploads,
  ...aborts,
  ...errors,
  ...sockets,
]
