/**
 * `pnpm bench pcm`: speed of conversion and resampling, in turns with other libraries, and quality of resampling. Compares
 * native programs if they are installed.
 */
import { benchConversions } from './pcm/conversions.ts'
import { benchHeap, benchQuality, benchResamplers } from './pcm/resamplers.ts'

benchHeap()
benchConversions()
await benchResamplers()
await benchQuality()
