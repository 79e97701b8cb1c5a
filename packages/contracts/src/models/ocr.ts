import { z } from 'zod'
import { artifactSchema } from '../shared/checks.ts'
import { LIMITS } from '../shared/limits.ts'
import type { PartDefinition } from '../shared/route.ts'
import { lineSchema } from '../shared/text.ts'

const FILE = `JPEG, PNG, WebP, HEIC, AVIF or TIFF image, or a PDF, of up to ${LIMITS.ocrPages} pages.`

const ocrLanguageSchema = lineSchema
  .min(2)
  .max(35)
  .meta({
    description:
      'Language as a BCP-47 tag, or up to three joined by `+`, most important first. English, Hindi and Nepali can be read, on some servers more.',
    examples: ['ne+en'],
  })

export const OCR_ORIENTATIONS = ['auto', 'as_is'] as const
const orientationSchema = z.enum(OCR_ORIENTATIONS).meta({
  description: '`auto` turns pages upright; `as_is` reads them as they lie.',
})
export const OCR_TEXT_LAYERS = ['auto', 'use', 'ignore'] as const
const textLayerSchema = z.enum(OCR_TEXT_LAYERS).meta({
  description:
    'Whether the text layer of a PDF is its text. `auto`: unless the page is a scan, or shows other text. `use`: wherever there is one. `ignore`: never.',
})

export const ocrRequestSchema = z
  .strictObject({
    image_b64: artifactSchema(FILE),
    language: ocrLanguageSchema.default('en'),
    orientation: orientationSchema.default('auto'),
    text_layer: textLayerSchema.default('auto'),
  })
  .meta({ id: 'OcrRequest', examples: [{ image_b64: '/9j/4AAQSkZJRg==', language: 'en' }] })

/** How a document is read: the request without it. */
export const ocrOptionsSchema = ocrRequestSchema.omit({ image_b64: true })
export type OcrOptions = z.output<typeof ocrOptionsSchema>

/** The same request as a form. */
export const OCR_PARTS = {
  image: {
    kind: 'file',
    required: true,
    maxBytes: LIMITS.imageBytes,
    mediaTypes: [
      'image/jpeg',
      'image/png',
      'image/webp',
      'image/heic',
      'image/avif',
      'image/tiff',
      'application/pdf',
    ],
    description: FILE,
  },
  language: {
    kind: 'text',
    required: false,
    schema: ocrLanguageSchema.optional(),
    description: 'As in the JSON request.',
  },
  orientation: {
    kind: 'text',
    required: false,
    schema: orientationSchema.optional(),
    description: 'As in the JSON request.',
  },
  text_layer: {
    kind: 'text',
    required: false,
    schema: textLayerSchema.optional(),
    description: 'As in the JSON request.',
  },
} as const satisfies Record<string, PartDefinition>

const boxSchema = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .meta({ id: 'Box', description: 'In pixels from the top left of the upright page.' })

export const ocrConfidenceSchema = z.number().min(0).max(1)
const part = { text: z.string(), confidence: ocrConfidenceSchema, box: boxSchema }
const ocrWordSchema = z.object(part).meta({ id: 'OcrWord' })
const ocrLineSchema = z.object({ ...part, words: z.array(ocrWordSchema) }).meta({ id: 'OcrLine' })
const ocrBlockSchema = z
  .object({
    ...part,
    lines: z.array(ocrLineSchema),
    heading_level: z.int().min(1).max(6).optional().meta({
      description:
        'Missing unless the block is a heading. From 1, print much larger than the running text of the page, to 4, bold print of its size.',
    }),
  })
  .meta({ id: 'OcrBlock', description: 'Lines that belong together, such as a column or a heading.' })

const ocrTableCellSchema = z
  .object({
    text: z.string().meta({
      description:
        'Lines of a cell are joined by spaces. Empty if there is none, or if that of another cell covers it.',
    }),
    box: boxSchema.optional(),
    column_span: z.int().min(2).optional().meta({
      description:
        'Number of columns that the text covers, from this cell to the right. The cells that it covers follow in the row, without text.',
    }),
  })
  .meta({
    id: 'OcrTableCell',
    description: 'A cell without text has no `box`. `column_span` is missing if it is 1.',
  })

const ocrTableSchema = z
  .object({
    box: boxSchema,
    rows: z.array(z.array(ocrTableCellSchema).min(2)).min(2).meta({
      description:
        'From top to bottom. Each has a cell for each column, from left to right, so the table is a grid.',
    }),
  })
  .meta({
    id: 'OcrTable',
    examples: [
      {
        box: { x: 120, y: 300, width: 560, height: 80 },
        rows: [
          [
            { text: '' },
            { text: 'Sales', box: { x: 480, y: 300, width: 90, height: 30 }, column_span: 2 },
            { text: '' },
          ],
          [
            { text: 'Desk lamps', box: { x: 120, y: 350, width: 180, height: 30 } },
            { text: '850', box: { x: 420, y: 350, width: 60, height: 30 } },
            { text: '920', box: { x: 620, y: 350, width: 60, height: 30 } },
          ],
        ],
      },
    ],
  })

const ocrBarcodeSchema = z
  .object({
    format: z.string().meta({ description: 'Name of the symbology.', examples: ['QRCode'] }),
    text: z.string(),
    box: boxSchema,
  })
  .meta({ id: 'OcrBarcode' })

/** Why a page of a document is left out. */
export const OCR_PAGE_ERROR_CODES = ['other_script'] as const

export const ocrPageSchema = z
  .object({
    width: z.int().min(1),
    height: z.int().min(1),
    rotation: z.number().gt(-180).max(180).meta({
      description:
        'Degrees by which the page was turned clockwise to stand upright. All boxes refer to the upright page.',
    }),
    source: z.enum(['recognition', 'text_layer']).meta({
      description:
        '`text_layer` if the PDF had the text; its confidence is 1. `recognition` if it was read from the pixels.',
    }),
    blocks: z.array(ocrBlockSchema).meta({
      description:
        'In reading order: column by column where running text stands in columns, else row by row, as in tables, forms and receipts.',
    }),
    tables: z.array(ocrTableSchema).optional().meta({
      description:
        'From top to bottom, found by how their cells are aligned; missing if there are none. Their words are in `blocks` as well. A page has at most 10,000 cells; further tables are left out.',
    }),
    barcodes: z.array(ocrBarcodeSchema),
    error: z
      .object({ code: z.enum(OCR_PAGE_ERROR_CODES), message: z.string() })
      .optional()
      .meta({
        description:
          'Why nothing of this page was read, although others were. `other_script`: it is in a script that the languages do not have; `message` names it, and the languages to send or install.',
      }),
  })
  .meta({ id: 'OcrPage' })

export const ocrFieldsSchema = z.record(z.string(), z.string()).meta({
  description:
    "Fields of the first machine-readable zone or licence's barcode that was read with certainty: `document_number`, `surname`, `given_names`, `date_of_birth`, `expiry_date`, `issuing_country` and others. Dates are ISO 8601.",
})

export const ocrResultSchema = z
  .object({
    text: z.string().meta({
      description: 'Text of all pages: an empty line between blocks, and a form feed (U+000C) between pages.',
    }),
    language: z.string(),
    confidence: ocrConfidenceSchema.meta({
      description: 'Mean confidence of the words, weighted by their lengths.',
    }),
    pages: z.array(ocrPageSchema),
    fields: ocrFieldsSchema.optional(),
  })
  .meta({ id: 'OcrResult' })
export type OcrResult = z.output<typeof ocrResultSchema>
