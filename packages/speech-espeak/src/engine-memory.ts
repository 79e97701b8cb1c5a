import type { EspeakModule } from '@echogarden/espeak-ng-emscripten'

/**
 * The memory of eSpeak NG, which holds all of its state: parameters that a text has set, generators of noise, what an
 * overrun has overwritten. An image that is put back leaves nothing of what was spoken since.
 */
export interface EngineMemory {
  save(): Uint8Array
  restore(image: Uint8Array): void
}

/** More than is free between the blocks of an engine that has just begun. */
const PROBE_BYTES = 4 * 1024 * 1024

export function openMemory(module: EspeakModule): EngineMemory {
  const index = findBreak(module)
  const usedBytes = () => module.HEAPU32[index] ?? 0
  return {
    save: () => module.HEAPU8.slice(0, usedBytes()),
    restore(image) {
      const dirtyBytes = usedBytes()
      module.HEAPU8.set(image)
      // New memory is all zeros, and may be read before it is written.
      module.HEAPU8.fill(0, image.length, Math.max(image.length, dirtyBytes))
    },
  }
}

/**
 * Where the allocator keeps the end of the memory that it has taken (`sbrk` of Emscripten, which never gives memory
 * back). No export has it. It is the highest of the words that a block moves which fits in no gap.
 */
function findBreak(module: EspeakModule): number {
  const before = module.HEAPU8.slice()
  const wordsBefore = new Uint32Array(before.buffer)
  const block = module._malloc(PROBE_BYTES)
  const words = module.HEAPU32
  let found: number | undefined
  for (let index = 0; index < block / Uint32Array.BYTES_PER_ELEMENT; index++) {
    const word = words[index] ?? 0
    const grown = word - (wordsBefore[index] ?? 0)
    const isEnd = grown >= PROBE_BYTES && word >= block + PROBE_BYTES && word <= module.HEAPU8.length
    if (isEnd && (found === undefined || word > (words[found] ?? 0))) found = index
  }
  module.HEAPU8.set(before)
  if (found === undefined) throw new Error('The end of the memory of eSpeak NG was not found')
  return found
}
