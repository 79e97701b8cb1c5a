import { z } from 'zod'
import { toLanguageCodes } from '../ocr/languages.ts'
import { lettersOf } from './rows.ts'
import { withoutNulls } from '../without-nulls.ts'

/** Sides of a document, in the order in which they are submitted. */
export const SIDES = ['front', 'back'] as const
export type Side = (typeof SIDES)[number]

const NAMES = ['full_name', 'surname', 'given_names'] as const

/** A text as printed. It is found by its letters and digits: without any, it would be found everywhere. */
const printed = z
  .string()
  .trim()
  .max(100)
  .refine((text) => lettersOf(text) !== '', { error: 'must have a letter or a digit' })
/** OCR errs, so a fifth of the letters of a label or heading may differ. */
const spellings = z.array(printed).min(1).max(20)
const place = {
  labels: spellings,
  /** Where the value is, seen from its label. */
  place: z.enum(['right', 'below']).default('right'),
  required: z.boolean().default(true),
}
/** Returns whether a regular expression can be compiled. */
function isExpression(source: string): boolean {
  try {
    return new RegExp(source, 'u').unicode
  } catch {
    return false
  }
}
const pattern = z
  .string()
  .max(200)
  .refine((source) => isExpression(`^(?:${source})$`), { error: 'must be a regular expression' })
const script = z
  .string()
  .refine((name) => /^\w+$/.test(name) && isExpression(String.raw`\p{Script=${name}}`), {
    error: 'must be the name of a Unicode script, such as Devanagari',
  })

const numberField = z.strictObject({ kind: z.literal('number'), ...place, pattern })
const nameField = z.strictObject({ kind: z.literal('name'), ...place, script: script.default('Latin') })
const dateField = z.strictObject({
  kind: z.literal('date'),
  ...place,
  calendar: z.enum(['gregorian', 'bikram_sambat']).default('gregorian'),
  order: z.enum(['ymd', 'dmy', 'mdy']),
  /** Words that are printed within the value, such as `Year`. */
  words: z.array(z.string().trim().min(1).max(100)).max(20).default([]),
})
const sexField = z.strictObject({
  kind: z.literal('choice'),
  ...place,
  values: z
    .partialRecord(z.enum(['F', 'M', 'X']), spellings)
    .refine((values) => Object.keys(values).length > 0, { error: 'must have a value' }),
})

const fieldsSchema = z
  .strictObject({
    document_number: numberField,
    full_name: nameField,
    surname: nameField,
    given_names: nameField,
    date_of_birth: dateField,
    expiry_date: dateField,
    sex: sexField,
  })
  .partial()

export const TEMPLATE_FIELDS = fieldsSchema.keyof().options

const sideSchema = z.strictObject({
  side: z.enum(SIDES),
  languages: z.string().refine((tag) => toLanguageCodes(tag) !== undefined, {
    error: 'must be a language whose OCR data is installed, or several joined by +',
  }),
  /** Texts that only documents of this kind have. All must be on the side, each in one of its spellings. */
  headings: z.array(spellings).min(1).max(10),
  /** Labels of values that are not wanted. They end the values before them, and are not taken for a label within them. */
  other_labels: z.array(printed).max(50).default([]),
  fields: fieldsSchema,
})

export const templateSchema = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/, { error: 'must be of a-z, 0-9 and -' }),
    document_type: z.string().trim().min(1).max(40),
    issuing_country: z.string().regex(/^[A-Z]{1,3}$/, { error: 'must be of one to three capital letters' }),
    nationality: z
      .string()
      .regex(/^[A-Z]{1,3}$/, { error: 'must be of one to three capital letters' })
      .optional(),
    /** False for documents that are valid for ever, which have no date of expiry. */
    expires: z.boolean().default(true),
    /** The first side whose field was read gives its value. A side that was not sent is left out, unless it is the front. */
    sides: z.array(sideSchema).min(1).max(2),
  })
  .check((context) => {
    for (const problem of problemsOf(context.value))
      context.issues.push({ code: 'custom', input: context.value, path: ['sides'], message: problem })
  })

export type TemplateSide = z.output<typeof sideSchema>
export type TemplateField = NonNullable<TemplateSide['fields'][TemplateFieldName]>
export type TemplateFieldName = keyof z.output<typeof fieldsSchema>

/** Returns the fields that a side has. */
export const fieldsOf = ({ fields }: TemplateSide): { name: TemplateFieldName; field: TemplateField }[] =>
  TEMPLATE_FIELDS.flatMap((name) => {
    const field = fields[name]
    return field === undefined ? [] : [{ name, field }]
  })

/** A kind of document, and how to read it. Plain data. */
export type Template = z.output<typeof templateSchema>

/** Without these nothing identifies a person, and nothing finds the document when somebody else sends it. */
function problemsOf({ sides, expires }: { sides: readonly TemplateSide[]; expires: boolean }): string[] {
  const front = sides.find(({ side }) => side === 'front')
  if (front === undefined || new Set(sides.map(({ side }) => side)).size < sides.length)
    return ['must have one front, and at most one back']
  const isRequired = (name: TemplateFieldName) => front.fields[name]?.required === true
  return [
    ...(['document_number', 'date_of_birth'] as const)
      .filter((name) => !isRequired(name))
      .map((name) => `the front must require ${name}`),
    ...(NAMES.some(isRequired) ? [] : [`the front must require one of ${NAMES.join(', ')}`]),
    ...(expires && !isRequired('expiry_date')
      ? ['the front must require expiry_date, unless `expires` is false']
      : []),
    ...(!expires && sides.some(({ fields }) => fields.expiry_date !== undefined)
      ? ['expiry_date contradicts `expires`: false']
      : []),
  ]
}

/** Reports what is wrong with a template, by the names of its members. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/**
 * Validates a template, and fills in what it omits. Members that are `null` count as omitted.
 *
 * @throws TemplateError
 */
export function parseTemplate(value: unknown): Template {
  const result = templateSchema.safeParse(withoutNulls(value))
  if (result.success) return result.data
  throw new TemplateError(
    result.error.issues
      .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
      .join('; '),
  )
}
