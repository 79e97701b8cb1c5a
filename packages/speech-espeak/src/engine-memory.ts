import type { EspeakModule } from '@echogarden/espeak-ng-emscripten'

/**
 * The memory of eSpeak NG, which holds all of its state: parameters set by a text, noise generators, anything overwritten
 * by an overrun. Restoring an image erases every trace of the speech since it was saved.
 */
export interface EngineMemory {
  save(): Uint8Array
  restore(image: Uint8Array): void
}

/** Larger than all that a newly started engine uses (1.2 MB), and so than any gap between its blocks. */
const PROBE_BYTES = 4 * 1024 * 1024

export function openMemory(module: EspeakModule): EngineMemory {
  const index = findBreak(module)
  const usedBytes = () => module.HEAPU32[index] ?? 0
  return {
    save: () => module.HEAPU8.slice(0, usedBytes()),
    restore(image) {
      const dirtyBytes = usedBytes()
      module.HEAPU8.set(image)
      // Fresh memory is all zeros, and the engine may read it before writing.
      module.HEAPU8.fill(0, image.length, Math.max(image.length, dirtyBytes))
    },
  }
}

/**
 * Finds the word in which the allocator keeps the end of its memory (`sbrk` of Emscripten, which never returns memory).
 * The module does not export it. Allocating a block too large for any gap moves several words up; the word with the
 * highest value is the one. Memory that the engine has not used yet is left alone: touching it all takes longer than the rest of a
 * thread's start, and keeps 16 MB for it.
 */
function findBreak(module: EspeakModule): number {
  const before = module.HEAPU8.slice(0, PROBE_BYTES)
  const wordsBefore = new Uint32Array(before.buffer)
  const block = module._malloc(PROBE_BYTES)
  if (block > PROBE_BYTES) throw new Error('eSpeak NG uses more memory at its start than was expected')
  const words = module.HEAPU32
  let found: number | undefined
  for (let index = 0; index < block / Uint32Array.BYTES_PER_ELEMENT; index++) {
    const word = words[index] ?? 0
    const grown = word - (wordsBefore[index] ?? 0)
    const isEnd = grown >= PROBE_BYTES && word >= block + PROBE_BYTES && word <= module.HEAPU8.length
    if (isEnd && (found === undefined || word > (words[found] ?? 0))) found = index
  }
  if (found === undefined) throw new Error('The end of the memory of eSpeak NG was not found')
  const end = words[found] ?? 0
  module.HEAPU8.set(before)
  module.HEAPU8.fill(0, before.length, end)
  return found
}
