import { z } from 'zod'
import { artifactSchema } from '../shared/checks.ts'
import { lineSchema } from '../shared/text.ts'

export const ocrRequestSchema = z
  .strictObject({
    image_b64: artifactSchema('JPEG, PNG or WebP page.'),
    language: lineSchema.min(2).max(35).default('en').meta({ description: 'Language of the page.' }),
  })
  .meta({ id: 'OcrRequest', examples: [{ image_b64: '/9j/4AAQSkZJRg==', language: 'en' }] })

const boxSchema = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .meta({ id: 'Box', description: 'In pixels from the top left.' })

export const ocrResultSchema = z
  .object({
    text: z.string(),
    language: z.string(),
    confidence: z.number().min(0).max(1),
    pages: z.array(
      z.object({
        width: z.int().min(1),
        height: z.int().min(1),
        blocks: z.array(
          z.object({
            text: z.string(),
            confidence: z.number().min(0).max(1),
            box: boxSchema,
            lines: z.array(z.object({ text: z.string(), confidence: z.number(), box: boxSchema })),
          }),
        ),
      }),
    ),
    fields: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'OcrResult' })
