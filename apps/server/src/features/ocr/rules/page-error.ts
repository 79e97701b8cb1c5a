import type { OcrDocumentPage, PageErrorCode } from '@vaani/contracts'
import type { MediaError, MediaErrorCode } from '@vaani/identity-checks/ocr'
import { MAX_ATTEMPTS } from './attempts.ts'

const CODES: Readonly<Partial<Record<MediaErrorCode, PageErrorCode>>> = {
  decoding_timeout: 'time_limit',
  too_much_memory: 'memory_limit',
  too_many_pixels: 'pixel_limit',
}

/** Describes a page that cannot be read. */
export const unreadablePage = (number: number, { code, message }: MediaError): OcrDocumentPage => ({
  number,
  error: { code: CODES[code] ?? 'damaged', message: `The document ${message}` },
})

/** Describes a page that is not tried again. */
export const givenUpPage = (number: number): OcrDocumentPage => ({
  number,
  error: { code: 'failed', message: `The page was given up after ${MAX_ATTEMPTS} attempts` },
})
