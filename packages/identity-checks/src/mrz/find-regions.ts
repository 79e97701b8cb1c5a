/** Sums over the pixels of a connected part of a picture. */
export interface Region {
  left: number
  right: number
  count: number
  sumX: number
  sumY: number
  sumXX: number
  sumXY: number
}

interface Part extends Region {
  /** Place among all parts, the oldest first. */
  readonly order: number
  /** The older part that it turned out to be connected with. */
  joinedTo: Part | null
}

/** Pixels of a row, from the first to the last, that belong to the same part. */
interface Run {
  readonly left: number
  readonly right: number
  readonly part: Part
}

const NO_PIXELS = { count: 0, sumX: 0, sumY: 0, sumXX: 0, sumXY: 0 }

/** Finds the regions of pixels above a threshold. Those that touch only by their corners are not connected. */
export function findRegions(
  values: Float32Array,
  { width, height, threshold }: { width: number; height: number; threshold: number },
): Region[] {
  const parts: Part[] = []
  let above: Run[] = []
  for (let y = 0; y < height; y++) {
    const row: Run[] = []
    const start = y * width
    let next = 0
    for (let x = 0; x < width; x++) {
      if ((values[start + x] ?? 0) <= threshold) continue
      const left = x
      while (x + 1 < width && (values[start + x + 1] ?? 0) > threshold) x++
      while ((above[next]?.right ?? width) < left) next++
      let part: Part | null = null
      for (let run = above[next]; run !== undefined && run.left <= x; run = above[++next]) {
        const touched = rootOf(run.part)
        part = part === null ? touched : join(part, touched)
        // It may touch the next run of this row as well.
        if (run.right > x) break
      }
      if (part === null) {
        part = { order: parts.length, joinedTo: null, left, right: x, ...NO_PIXELS }
        parts.push(part)
      }
      addRun(part, { left, right: x, y })
      row.push({ left, right: x, part })
    }
    above = row
  }
  return parts.filter(({ joinedTo }) => joinedTo === null)
}

/** Joins two parts, and returns the older, with the pixels of both. */
function join(one: Part, other: Part): Part {
  if (one === other) return one
  const [older, newer] = one.order < other.order ? [one, other] : [other, one]
  newer.joinedTo = older
  older.left = Math.min(older.left, newer.left)
  older.right = Math.max(older.right, newer.right)
  older.count += newer.count
  older.sumX += newer.sumX
  older.sumY += newer.sumY
  older.sumXX += newer.sumXX
  older.sumXY += newer.sumXY
  return older
}

function rootOf(part: Part): Part {
  let root = part
  while (root.joinedTo !== null) root = root.joinedTo
  return root
}

/** Adds the pixels of a run, by the sums of consecutive numbers and of their squares. */
function addRun(region: Region, { left, right, y }: { left: number; right: number; y: number }): void {
  const count = right - left + 1
  const sumX = (count * (left + right)) / 2
  region.left = Math.min(region.left, left)
  region.right = Math.max(region.right, right)
  region.count += count
  region.sumX += sumX
  region.sumY += count * y
  region.sumXX += sumOfSquares(right) - sumOfSquares(left - 1)
  region.sumXY += sumX * y
}

const sumOfSquares = (last: number): number => (last * (last + 1) * (2 * last + 1)) / 6
