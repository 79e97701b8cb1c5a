import { type FileHandle, open } from 'node:fs/promises'
import { AudioError } from './audio-error.ts'

/**
 * Limit on the boxes of an MP4 file, at all levels together. A minute in fragments of one frame each has up to 30,000; ffmpeg
 * takes seconds for millions of empty ones.
 */
const MAX_BOXES = 50_000
/** Boxes that ffmpeg opens, because they contain others. */
const CONTAINERS: ReadonlySet<string> = new Set(
  'moov trak mdia minf stbl udta edts dinf mvex moof traf mfra meta ilst wave sinf schi tref'.split(' '),
)
const HEADER_BYTES = 8
/** Size, type, and a size of 64 bits. */
const LONG_HEADER_BYTES = 16
const WINDOW_BYTES = 4096

/**
 * Counts the boxes of an MP4 file (ISO/IEC 14496-12, section 4.2), which costs a read for each window of the file that has any.
 * What is wrong with them is for the decoder to find.
 *
 * @throws AudioError if there are too many
 */
export async function checkBoxes(file: string): Promise<void> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const header = createWindow(handle)
  /** Where the boxes that contain the next one end, from the outermost. */
  const ends = [size]
  let at = 0
  for (let boxes = 0; ends.length > 0;) {
    const end = ends.at(-1) ?? 0
    const bytes = end - at >= HEADER_BYTES ? await header.read(at) : undefined
    const box = bytes === undefined ? undefined : readBox(bytes)
    if (box === undefined) {
      // The rest of this container has no box.
      at = end
      ends.pop()
      continue
    }
    if (++boxes > MAX_BOXES) throw new AudioError('damaged', `has more than ${MAX_BOXES} boxes`)
    const boxEnd = box.bytes === undefined ? end : Math.min(end, at + box.bytes)
    if (CONTAINERS.has(box.type)) {
      ends.push(boxEnd)
      at += box.headerBytes
    } else at = boxEnd
  }
}

/** Reads the header of a box; undefined if it is none. A box without a size fills its container. */
function readBox(
  header: Buffer,
): { type: string; headerBytes: number; bytes: number | undefined } | undefined {
  if (header.length < HEADER_BYTES) return undefined
  const short = header.readUInt32BE(0)
  const type = header.toString('latin1', 4, 8)
  if (short === 0) return { type, headerBytes: HEADER_BYTES, bytes: undefined }
  if (short !== 1) {
    // The version and flags of a `meta` box come before its boxes, except in QuickTime files.
    const isFull = type === 'meta' && header.length >= 12 && header.readUInt32BE(8) === 0
    const headerBytes = isFull ? HEADER_BYTES + 4 : HEADER_BYTES
    return short < HEADER_BYTES ? undefined : { type, headerBytes, bytes: short }
  }
  if (header.length < LONG_HEADER_BYTES) return undefined
  const bytes = Number(header.readBigUInt64BE(8))
  return bytes < LONG_HEADER_BYTES ? undefined : { type, headerBytes: LONG_HEADER_BYTES, bytes }
}

/** Reads a file at rising places, some of it at once. */
function createWindow(handle: FileHandle) {
  const window = Buffer.alloc(WINDOW_BYTES)
  let from = 0
  let length = 0
  return {
    /** Returns the bytes of a header, or what the file has of it. */
    async read(at: number): Promise<Buffer> {
      if (at < from || at + LONG_HEADER_BYTES > from + length) {
        from = at
        length = (await handle.read(window, 0, WINDOW_BYTES, at)).bytesRead
      }
      return window.subarray(at - from, Math.min(length, at - from + LONG_HEADER_BYTES))
    },
  }
}
