import type { WasiCommand } from './wasi-program.ts'

/** A speaker of Flite: a woman and two men who speak from models, and a man who speaks from diphones. */
export type FliteVoice = 'slt' | 'rms' | 'awb' | 'kal16'

/** A phrase for a thread to speak. */
export interface Job {
  id: number
  /** The words in ASCII, as Flite reads them. */
  words: readonly string[]
  voice: FliteVoice
  /** Factor of the duration. */
  stretch: number
  pitchHz: number
  /** Standard deviation of the pitch. */
  deviationHz: number
  /** The speaker's samples are taken as of this rate. Above `SAMPLE_RATE_HZ` it shortens the vocal tract, below it lengthens it. */
  takenAtHz: number
  gainDb: number
  /** Whether to find out when each word begins. */
  marksWords: boolean
}

/** A spoken phrase. */
export interface Spoken {
  samples: Int16Array<ArrayBuffer>
  /** The sample with which each word begins; undefined if the word has no sound. Empty unless the job marks words. */
  starts: readonly (number | undefined)[]
}

export type Reply =
  | { type: 'ready' }
  | ({ type: 'spoken'; id: number } & Spoken)
  /** Flite has failed on the phrase. */
  | { type: 'failed'; id: number }

export interface ThreadSettings {
  command: WasiCommand
  /** The speakers of which a thread speaks once before it is ready. */
  warms: readonly FliteVoice[]
}

export const SAMPLE_RATE_HZ = 16_000
