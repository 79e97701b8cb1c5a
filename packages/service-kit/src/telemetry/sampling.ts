import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { TraceSettings } from '../settings/trace-settings.ts'

/** Decides which traces are kept. */
export interface Sampling {
  /**
   * Called for each trace without a parent before the library. The library would create ids and a span even for a dropped
   * trace, which takes fifty times as long.
   */
  mayStart(): boolean
  /** Used by the library for all others. */
  sampler: Sampler
}

export const createSampling = ({ sampler, ratio }: Pick<TraceSettings, 'sampler' | 'ratio'>): Sampling =>
  SAMPLINGS[sampler](ratio)

const always = () => true
const never = () => false

const parentBased = (mayStart: () => boolean): Sampling => ({
  mayStart,
  sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
})

const SAMPLINGS = {
  always_on: () => ({ mayStart: always, sampler: new AlwaysOnSampler() }),
  always_off: () => ({ mayStart: never, sampler: new AlwaysOffSampler() }),
  // The trace id decides, so that all processes agree.
  traceidratio: (ratio) => ({ mayStart: always, sampler: new TraceIdRatioBasedSampler(ratio) }),
  parentbased_always_on: () => parentBased(always),
  parentbased_always_off: () => parentBased(never),
  parentbased_traceidratio: (ratio) => parentBased(() => Math.random() < ratio),
} satisfies Record<TraceSettings['sampler'], (ratio: number) => Sampling>
