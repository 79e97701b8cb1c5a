import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

export interface OcrSettings {
  /** CPU time after which a page is refused. */
  ocrPageSeconds: number
}

const MAX_PAGE_SECONDS = 600

export const ocrSettings = defineSettings(
  { VAANI_OCR_PAGE_SECONDS: optional(z.coerce.number().positive().max(MAX_PAGE_SECONDS)) },
  (values): OcrSettings => ({ ocrPageSeconds: values.VAANI_OCR_PAGE_SECONDS ?? 30 }),
)
