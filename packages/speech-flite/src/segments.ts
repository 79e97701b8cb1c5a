/** A sound of speech, in the samples where it begins and ends. */
export interface Segment {
  phone: string
  start: number
  end: number
}

/** Flite's sign for silence. */
export const SILENCE = 'pau'

/** Reads what Flite prints with `-psdur`: `pau:0.218 g:0.280 uh:0.324`, each sound with the second in which it ends. */
export function readSegments(printed: string, sampleRateHz: number): Segment[] {
  let start = 0
  return Array.from(printed.matchAll(/([a-z]+)\d?:(\d+\.\d+)/g), ([, phone = '', seconds]) => {
    const end = Math.round(Number(seconds) * sampleRateHz)
    const segment = { phone, start, end }
    start = end
    return segment
  })
}

/** Groups the sounds that no silence separates, and leaves the silence out. */
export function groupBySilence(segments: readonly Segment[]): Segment[][] {
  const groups: Segment[][] = []
  let isOpen = false
  for (const segment of segments) {
    const isSound = segment.phone !== SILENCE
    if (isSound && isOpen) groups.at(-1)?.push(segment)
    else if (isSound) groups.push([segment])
    isOpen = isSound
  }
  return groups
}
