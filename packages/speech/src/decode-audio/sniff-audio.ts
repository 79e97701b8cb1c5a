export type AudioType = 'wav' | 'mp3' | 'ogg' | 'flac' | 'mp4' | 'webm'

/** Number of bytes from the start that are enough to detect the type. */
export const SNIFF_BYTES = 64

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to))

/**
 * Detects the type by the first bytes, regardless of file name and headers. Returns null for types that are not accepted. It
 * proves nothing about the rest of the file.
 */
export function sniffAudio(bytes: Uint8Array): AudioType | null {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes
  const start = ascii(bytes, 0, 4)
  if (['RIFF', 'RIFX', 'RF64', 'BW64'].includes(start)) return ascii(bytes, 8, 12) === 'WAVE' ? 'wav' : null
  if (start === 'OggS') return 'ogg'
  if (start === 'fLaC') return 'flac'
  if (ascii(bytes, 4, 8) === 'ftyp') return 'mp4'
  // EBML, of which WebM is a profile. The document type follows within the first bytes.
  if (first === 0x1a && second === 0x45 && third === 0xdf && fourth === 0xa3)
    return ascii(bytes, 4, SNIFF_BYTES).includes('webm') ? 'webm' : null
  // The sync word of a frame of layer III; AAC in ADTS has a layer of 0.
  const isFrame = first === 0xff && (second & 0xe6) === 0xe2
  return isFrame || ascii(bytes, 0, 3) === 'ID3' ? 'mp3' : null
}
