/** Writes values in groups: whatever arrives while one group is written, and a little longer, becomes the next. */
export interface GroupWriter<Value> {
  /** Settles with the write of the value's group. */
  write(value: Value): Promise<void>
  /** Counts the values that are not written yet. */
  size(): number
}

export function createGroupWriter<Value>(
  writeGroup: (values: readonly Value[]) => Promise<void>,
  { max, gatherMs }: { max: number; gatherMs: number },
): GroupWriter<Value> {
  const waiting: { value: Value; resolve: () => void; reject: (error: unknown) => void }[] = []
  let unwritten = 0
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, gatherMs))
      const group = waiting.splice(0, max)
      try {
        await writeGroup(group.map(({ value }) => value))
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
      unwritten -= group.length
    }
    isWriting = false
  }

  return {
    write(value) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ value, resolve, reject })
      unwritten++
      if (!isWriting) void writeAll()
      return promise
    },
    size: () => unwritten,
  }
}
