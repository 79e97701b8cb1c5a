import { z } from 'zod'
import { livemodeSchema, timeSchema } from '../shared/checks.ts'
import { idSchema, namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { DOCUMENT_FAILURE_REASONS, DOCUMENT_STATUSES } from './document-states.ts'
import { OCR_PAGE_ERROR_CODES, ocrConfidenceSchema, ocrFieldsSchema, ocrPageSchema } from './ocr.ts'

export const ocrDocumentPath = z.object({ document_id: namedIdSchema('document', 'not_found') })

export const ocrDocumentQuerySchema = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(LIMITS.ocrPages)
    .default(0)
    .meta({ description: 'Number of the last page that you have. Only later ones are returned.' }),
})

/** A document that is read in the background. */
export const ocrDocumentSchema = z
  .object({
    document_id: idSchema('document'),
    status: z.enum(DOCUMENT_STATUSES).meta({
      description:
        '`completed` once every page was tried and at least one was read. `failed` if none was, or if the document was not read before it expired.',
    }),
    failure_reason: z.enum(DOCUMENT_FAILURE_REASONS).nullable(),
    language: z.string(),
    livemode: livemodeSchema,
    counts: z
      .object({ total: z.int().min(1), read: z.int().min(0), unreadable: z.int().min(0) })
      .meta({ description: 'Pages of the document, and how many of them were read and could not be read.' }),
    created_at: timeSchema,
    completed_at: described(timeSchema.nullable(), 'When the document ended in any way; null before.'),
    expires_at: described(timeSchema, 'When the document and what was read of it are erased.'),
  })
  .meta({ id: 'OcrDocument' })
export type OcrDocument = z.output<typeof ocrDocumentSchema>

/** Why a page could not be read. Reading it again would end in the same way, except after `failed`. */
export const PAGE_ERROR_CODES = [
  'time_limit',
  'memory_limit',
  'pixel_limit',
  'damaged',
  ...OCR_PAGE_ERROR_CODES,
  'failed',
] as const
export type PageErrorCode = (typeof PAGE_ERROR_CODES)[number]

const numberSchema = z.int().min(1).meta({ description: 'Number of the page, from 1.' })

const readPageSchema = z
  .object({
    number: numberSchema,
    error: z.null(),
    text: z.string(),
    confidence: ocrConfidenceSchema,
    page: ocrPageSchema,
    fields: ocrFieldsSchema.optional(),
  })
  .meta({ id: 'OcrDocumentPageRead' })

const unreadPageSchema = z
  .object({
    number: numberSchema,
    error: z.object({
      code: z.enum(PAGE_ERROR_CODES).meta({
        description:
          '`time_limit`, `memory_limit` or `pixel_limit` if the page exceeds a limit, which `message` names. `damaged` if it cannot be opened. `other_script` if it is in a script that the languages do not have. `failed` if the service gave up.',
      }),
      message: z.string(),
    }),
  })
  .meta({ id: 'OcrDocumentPageUnread' })

export const ocrDocumentPageSchema = z.union([readPageSchema, unreadPageSchema])
export type OcrDocumentPage = z.output<typeof ocrDocumentPageSchema>

export const ocrDocumentPagesSchema = ocrDocumentSchema
  .extend({
    pages: z.array(ocrDocumentPageSchema).meta({
      description:
        'Pages after `after`, in order and without gaps: a page is returned once those before it are done.',
    }),
    has_more: z.boolean().meta({
      description: 'Whether further pages are done already. Read on after the last of these.',
    }),
  })
  .meta({ id: 'OcrDocumentPages' })
export type OcrDocumentPages = z.output<typeof ocrDocumentPagesSchema>
