import { MediaError } from '../media/media-error.ts'
import { sniffMedia } from '../media/sniff.ts'

export type DocumentType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/tiff' | 'application/pdf'

/** Readers of PDFs accept bytes before the header, which must be within this many (PDF 1.7, appendix H.3, note 13). */
const PDF_HEADER_WITHIN = 1024
const TIFF_HEADERS = ['II*\0', 'MM\0*']

/**
 * Detects the type of a document by its first bytes.
 *
 * @throws MediaError `unknown_type`, `heic_not_supported`
 */
export function sniffDocument(bytes: Buffer): DocumentType {
  const type = sniffMedia(bytes)
  if (type === 'image/jpeg' || type === 'image/png' || type === 'image/webp') return type
  if (type === 'image/heic')
    throw new MediaError(
      'heic_not_supported',
      'is HEIC, which is not supported; send JPEG, PNG, WebP, TIFF or PDF',
    )
  if (TIFF_HEADERS.includes(bytes.toString('latin1', 0, 4))) return 'image/tiff'
  if (bytes.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-')) return 'application/pdf'
  throw new MediaError('unknown_type', 'is not a JPEG, PNG, WebP or TIFF image, nor a PDF')
}
