/**
 * `pnpm bench pcm`: how fast samples are converted and resampled, ours by turns with other libraries, and how clean; the
 * tables of the README. Native programs are compared where they are there.
 */
import { benchConversions } from './pcm/conversions.ts'
import { benchHeap, benchQuality, benchResamplers } from './pcm/resamplers.ts'

benchHeap()
benchConversions()
await benchResamplers()
await benchQuality()
