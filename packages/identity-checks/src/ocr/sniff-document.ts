import { MediaError } from '../media/media-error.ts'
import { sniffMedia } from '../media/sniff.ts'

export type DocumentType =
  | 'image/jpeg'
  | 'image/png'
  | 'image/webp'
  | 'image/heic'
  | 'image/avif'
  | 'image/tiff'
  | 'application/pdf'

/** Readers of PDFs accept bytes before the header, which must be within this many (PDF 1.7, appendix H.3, note 13). */
const PDF_HEADER_WITHIN = 1024
const TIFF_HEADERS = ['II*\0', 'MM\0*']

/**
 * Detects the type of a document by its first bytes.
 *
 * @throws MediaError `unknown_type`
 */
export function sniffDocument(bytes: Buffer): DocumentType {
  const type = sniffMedia(bytes)
  switch (type) {
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
    case 'image/heic':
    case 'image/avif':
    case 'application/pdf':
      return type
    case 'video/mp4':
    case 'video/quicktime':
    case 'video/webm':
    case null:
  }
  if (TIFF_HEADERS.includes(bytes.toString('latin1', 0, 4))) return 'image/tiff'
  if (bytes.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-')) return 'application/pdf'
  throw new MediaError('unknown_type', 'is not a JPEG, PNG, WebP, HEIC, AVIF or TIFF image, nor a PDF')
}
