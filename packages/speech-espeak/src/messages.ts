import type { EspeakParameters } from './parameters.ts'

/** A segment for a worker to speak. */
export interface Job {
  id: number
  /** Escaped, because the engine always parses its input as markup. */
  text: string
  /** Language and variant, as in `ne+f3`. */
  voice: string
  parameters: EspeakParameters
}

export type Reply =
  | { type: 'ready' }
  | { type: 'chunk'; id: number; samples: Int16Array<ArrayBuffer> }
  | { type: 'end'; id: number }
  | { type: 'failed'; id: number }

export interface WorkerSettings {
  /** One 32-bit integer: the id of the canceled job. */
  canceled: SharedArrayBuffer
}

export const SAMPLE_RATE_HZ = 22_050
