import { z } from 'zod'
import { languageSchema, livemodeSchema, timeSchema } from '../shared/checks.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { lineSchema } from '../shared/text.ts'

export const lexiconEntrySchema = z
  .strictObject({
    term: lineSchema.min(1).max(LIMITS.lexiconTermCharacters).meta({
      description:
        'Word or phrase as it is written, with a letter or a digit. Matches whole words in any case; the longest term wins, and of equal terms the last.',
    }),
    spoken_as: lineSchema.max(LIMITS.lexiconSpokenAsCharacters).meta({
      description: 'What is spoken instead, as text of the language; empty to leave the term out.',
    }),
  })
  .meta({ id: 'LexiconEntry' })

const versionSchema = z.string().meta({
  description: 'Digest of the entries: the same for the same entries in the same order.',
  examples: ['JZ4hSuCqlqZWBIBHFrzoKg'],
})

const lexiconSummarySchema = z.object({
  language: described(languageSchema, 'Language of the terms.'),
  livemode: livemodeSchema,
  entry_count: z.int().min(1),
  version: versionSchema,
  updated_at: timeSchema,
})

export const lexiconListSchema = z.object({ data: z.array(lexiconSummarySchema) }).meta({ id: 'LexiconList' })

export const lexiconSchema = lexiconSummarySchema
  .omit({ entry_count: true })
  .extend({ entries: z.array(lexiconEntrySchema) })
  .meta({ id: 'Lexicon', description: 'How terms of an account are spoken in a language.' })
export type LexiconResource = z.output<typeof lexiconSchema>

export const replaceLexiconSchema = z
  .strictObject({
    entries: z.array(lexiconEntrySchema).min(1).max(LIMITS.lexiconEntries),
    version: lineSchema.max(100).optional().meta({
      description:
        'Version that these entries replace. If another is stored, or none, 409 `state_conflict`, unless it is that of these entries.',
    }),
  })
  .meta({
    id: 'ReplaceLexiconRequest',
    examples: [{ entries: [{ term: 'KYC', spoken_as: 'know your customer' }] }],
  })
