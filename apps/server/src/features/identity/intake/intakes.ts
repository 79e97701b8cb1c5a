import { makeMediaFolder, type MediaFolder } from './media-folder.ts'

/** Folders of the submissions being received. */
export interface Intakes {
  open(): Promise<MediaFolder>
  /** Waits until all folders are removed, for at most `limitMs`. */
  settle(limitMs: number): Promise<void>
}

export function createIntakes(directory: string): Intakes {
  const open = new Set<Promise<void>>()
  return {
    async open() {
      const folder = await makeMediaFolder(directory)
      const gone = Promise.withResolvers<void>()
      open.add(gone.promise)
      return {
        ...folder,
        async [Symbol.asyncDispose]() {
          try {
            await folder[Symbol.asyncDispose]()
          } finally {
            open.delete(gone.promise)
            gone.resolve()
          }
        },
      }
    },
    async settle(limitMs) {
      const limit = Promise.withResolvers<void>()
      const timer = setTimeout(limit.resolve, limitMs)
      await Promise.race([Promise.all(open), limit.promise])
      clearTimeout(timer)
    },
  }
}
