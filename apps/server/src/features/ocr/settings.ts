import { availableParallelism } from 'node:os'
import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { list, optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

export interface OcrSettings {
  /** Languages that must be readable, besides those that the server brings. */
  ocrLanguages: readonly string[]
  /** CPU time after which a page is refused. */
  ocrPageSeconds: number
  /** How many pages this process reads in the background at a time. */
  ocrBackgroundPages: number
  /** How long a document that is read in the background is kept. */
  ocrRetentionHours: number
}

const MAX_PAGE_SECONDS = 600
const MAX_RETENTION_HOURS = 720

export const ocrSettings = defineSettings(
  {
    VAANI_OCR_LANGUAGES: optional(z.string().transform(list)),
    VAANI_OCR_PAGE_SECONDS: optional(z.coerce.number().positive().max(MAX_PAGE_SECONDS)),
    VAANI_OCR_RETENTION_HOURS: optional(z.coerce.number().positive().max(MAX_RETENTION_HOURS)),
  },
  (values): OcrSettings => ({
    ocrLanguages: values.VAANI_OCR_LANGUAGES ?? [],
    ocrPageSeconds: values.VAANI_OCR_PAGE_SECONDS ?? 30,
    // Leaves half of the processors to interactive requests.
    ocrBackgroundPages: Math.max(1, Math.floor(availableParallelism() / 2)),
    ocrRetentionHours: values.VAANI_OCR_RETENTION_HOURS ?? 24,
  }),
)
