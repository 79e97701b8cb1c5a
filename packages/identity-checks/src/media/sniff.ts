export type MediaType =
  | 'image/jpeg'
  | 'image/png'
  | 'image/webp'
  | 'image/heic'
  | 'image/avif'
  | 'application/pdf'
  | 'video/mp4'
  | 'video/quicktime'
  | 'video/webm'

/** Number of bytes from the start that are enough to detect the type. */
export const SNIFF_BYTES = 64

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to))
const startsWith = (bytes: Uint8Array, ...signature: readonly number[]) =>
  signature.every((byte, index) => bytes[index] === byte)

/**
 * Detects the type by the first bytes, regardless of file name and headers. Returns null for unsupported types. It proves
 * nothing about the rest: the file may be damaged, and an MP4 may contain only sound.
 */
export function sniffMedia(bytes: Uint8Array): MediaType | null {
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp'
  // EBML, of which WebM is a profile. The document type follows within the first bytes.
  if (startsWith(bytes, 0x1a, 0x45, 0xdf, 0xa3))
    return ascii(bytes, 4, SNIFF_BYTES).includes('webm') ? 'video/webm' : null
  if (ascii(bytes, 4, 8) === 'ftyp') return typeOfBrands(ascii(bytes, 8, 12), ascii(bytes, 16, SNIFF_BYTES))
  if (ascii(bytes, 0, 5) === '%PDF-') return 'application/pdf'
  // Old QuickTime files start with another atom.
  return ['moov', 'mdat', 'wide', 'free'].includes(ascii(bytes, 4, 8)) ? 'video/quicktime' : null
}

/** @param compatible the brands that follow the major one, and whatever is after them */
function typeOfBrands(brand: string, compatible: string): MediaType | null {
  if (brand === 'avif' || brand === 'avis') return 'image/avif'
  // These say only that the file has images.
  if (['mif1', 'msf1'].includes(brand)) return compatible.includes('avif') ? 'image/avif' : 'image/heic'
  if (['heic', 'heix', 'hevc', 'heim', 'heis'].includes(brand)) return 'image/heic'
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
}
