import type { Trial } from './pace.ts'
import type { EspeakParameters } from './parameters.ts'

/** A segment for a worker to speak. */
export interface Job {
  id: number
  /** Escaped, because the engine always parses its input as markup. */
  text: string
  /** Language and variant, as in `ne+f3`. */
  voice: string
  parameters: EspeakParameters
  /** The rate to which the text is held, and what is known of it; absent if the parameters have its words per minute. */
  hold?: { rate: number; trials: readonly Trial[] }
  /** How much faster the engine's speech is made afterwards. Default 1. */
  tempo?: number
  /** Applied to the engine's samples. */
  gainDb: number
  /** Samples at the start that an earlier run has delivered. */
  from: number
}

/** A word as the engine reports it, in code points of the markup, and the sample with which it begins. */
export interface MarkedWord {
  position: number
  length: number
  sample: number
}

export type Reply =
  | { type: 'ready' }
  | { type: 'chunk'; id: number; samples: Int16Array<ArrayBuffer>; words: MarkedWord[] }
  | { type: 'end'; id: number }
  | { type: 'failed'; id: number }
  /** Stopped, so that others can begin. `samples` is the number delivered in all; the job goes on with what `continued` has. */
  | { type: 'paused'; id: number; samples: number; continued: Pick<Job, 'parameters' | 'hold' | 'tempo'> }

export interface WorkerSettings {
  /** One 32-bit integer: the id of the canceled job. */
  canceled: SharedArrayBuffer
  /** One 32-bit integer: how many listeners would soon hear a gap. */
  waitingUrgently: SharedArrayBuffer
  /** Samples after which speech makes way for them. */
  sliceSamples: number
}

export const SAMPLE_RATE_HZ = 22_050
