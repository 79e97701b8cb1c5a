export type MediaType =
  | 'image/jpeg'
  | 'image/png'
  | 'image/webp'
  | 'image/heic'
  | 'video/mp4'
  | 'video/quicktime'
  | 'video/webm'

/** How many bytes from the start are enough to tell. */
export const SNIFF_BYTES = 64

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to))
const startsWith = (bytes: Uint8Array, ...signature: readonly number[]) =>
  signature.every((byte, index) => bytes[index] === byte)

/**
 * The type that the first bytes announce, whatever a name or a header says; null for any that is not taken. It is no
 * proof: what follows may be damaged, and an MP4 may hold sound only.
 */
export function sniffMedia(bytes: Uint8Array): MediaType | null {
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp'
  // EBML, of which WebM is a profile; the document type follows within the first bytes.
  if (startsWith(bytes, 0x1a, 0x45, 0xdf, 0xa3))
    return ascii(bytes, 4, SNIFF_BYTES).includes('webm') ? 'video/webm' : null
  if (ascii(bytes, 4, 8) === 'ftyp') return typeOfBrand(ascii(bytes, 8, 12))
  // Old QuickTime files begin with another atom.
  return ['moov', 'mdat', 'wide', 'free'].includes(ascii(bytes, 4, 8)) ? 'video/quicktime' : null
}

function typeOfBrand(brand: string): MediaType | null {
  if (['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'].includes(brand)) return 'image/heic'
  if (brand.startsWith('avif') || brand.startsWith('avis')) return null
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
}
