import { createRequire } from 'node:module'
import path from 'node:path'

/** Types for the part of `sherpa-onnx-node` that this package uses; the module has none. */
export interface Sherpa {
  OfflineTts: {
    createAsync(config: {
      model: Readonly<Record<string, unknown>> & { numThreads: number; provider: string; debug: boolean }
      /** Sentences that are synthesized at once. */
      maxNumSentences: number
    }): Promise<OfflineTts>
  }
}

export interface OfflineTts {
  readonly sampleRate: number
  readonly numSpeakers: number
  generateAsync(request: {
    text: string
    sid: number
    speed: number
    /** Gets the samples of each sentence; returns 0 to stop after it. */
    onProgress: (progress: { samples: Float32Array }) => 0 | 1
  }): Promise<{ samples: Float32Array }>
}

const MODULE = 'sherpa-onnx-node'

/**
 * Finds the module in the directory, by default in that of the process or else where this package finds it.
 *
 * @returns its path; undefined if it is not installed
 */
export function findSherpa(directory: string | undefined): string | undefined {
  const inDirectory = find(path.join(path.resolve(directory ?? '.'), 'package.json'))
  return inDirectory ?? (directory === undefined ? find(import.meta.url) : undefined)
}

/** Says in which folder the module is not installed, and how to install it there. */
export function describeMissing(directory: string | undefined): string {
  const folder = path.resolve(directory ?? '.')
  return `${MODULE} is not installed in ${folder}: npm install --prefix ${JSON.stringify(folder)} ${MODULE}`
}

function find(from: string): string | undefined {
  try {
    return createRequire(from).resolve(MODULE)
  } catch {
    return undefined
  }
}

export function loadSherpa(file: string): Sherpa {
  const sherpa: Sherpa = createRequire(import.meta.url)(file)
  return sherpa
}
