import { z } from 'zod'
import { livemodeSchema, timeSchema } from '../shared/checks.ts'
import { idSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema } from '../shared/pagination.ts'
import { phoneSchema } from '../shared/phone.ts'
import { described } from '../shared/route.ts'
import { lineSchema, textSchema } from '../shared/text.ts'

/** How a number came onto a list. */
export const LISTED_NUMBER_SOURCES = ['added', 'imported'] as const
export type ListedNumberSource = (typeof LISTED_NUMBER_SOURCES)[number]

/** Why a line of an imported file was refused. */
export const IMPORT_PROBLEMS = [
  'no_number',
  'no_country_code',
  'invalid_number',
  'rounded_number',
  'long_reason',
  'wrong_quotes',
] as const
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number]

export const listedNumberReasonSchema = described(
  lineSchema.min(1).max(200),
  'Why it is not to be called, in your own words.',
)

export const addListedNumberSchema = z
  .strictObject({
    phone_number: phoneSchema.meta({
      description: 'Number that is not to be called, in E.164.',
      examples: ['+9779800000001'],
    }),
    reason: listedNumberReasonSchema.optional(),
  })
  .meta({
    id: 'AddListedNumberRequest',
    examples: [{ phone_number: '+9779800000001', reason: 'Asked on the phone' }],
  })

export const listedNumberSchema = z
  .object({
    listed_number_id: idSchema('listed_number'),
    livemode: described(
      livemodeSchema.nullable(),
      'Mode whose calls it stops; null on the list of the server, which stops those of both modes.',
    ),
    phone_number: z.string().meta({ description: 'In E.164.', examples: ['+9779800000001'] }),
    reason: described(z.string().nullable(), 'Why it is not to be called, if that was given.'),
    source: z.enum(LISTED_NUMBER_SOURCES).meta({ description: 'How it came onto the list.' }),
    created_at: timeSchema,
  })
  .meta({ id: 'ListedNumber', description: 'A number on a do-not-call list.' })
export type ListedNumber = z.output<typeof listedNumberSchema>

export const listedNumbersQuerySchema = pageQuerySchema('listed_number').extend({
  phone_number: described(
    phoneSchema,
    'Only this number, in E.164. The page is empty if it is not on the list.',
  ).optional(),
})

export const importListedNumbersSchema = z
  .strictObject({
    csv: textSchema.min(1).meta({
      description: `A CSV file of at most ${LIMITS.doNotCallImportLines} lines.`,
      examples: ['phone_number,reason\n+977 980-0000001,Asked on the phone\n'],
    }),
    reason: described(
      listedNumberReasonSchema,
      'Why those are not to be called whose line gives no reason.',
    ).optional(),
  })
  .meta({
    id: 'ImportListedNumbersRequest',
    examples: [{ csv: 'phone_number,reason\n+977 980-0000001,Asked on the phone\n' }],
  })

const countSchema = z.int().min(0)

export const listedNumbersImportSchema = z
  .object({
    added: countSchema,
    already_listed: described(countSchema, 'Numbers that were on the list before, or earlier in the file.'),
    refused: described(countSchema, 'Lines that were not imported.'),
    errors: z
      .array(
        z.object({
          line: z.int().min(1).meta({ description: 'Number of the line, from 1, as an editor shows it.' }),
          problem: z.enum(IMPORT_PROBLEMS),
        }),
      )
      .meta({ description: `The first ${LIMITS.doNotCallImportErrors} lines that were refused, and why.` }),
  })
  .meta({ id: 'ListedNumbersImport' })
export type ListedNumbersImport = z.output<typeof listedNumbersImportSchema>
