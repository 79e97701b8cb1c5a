import { createHash } from 'node:crypto'
import { type CheckResult, notRun, toScore } from '../check.ts'
import { toLanguageCodes } from '../ocr/languages.ts'
import type { TextBlock } from '../ocr/layout.ts'
import { type FieldReading, readSide } from './read-side.ts'
import type { Side, Template, TemplateFieldName } from './template.ts'

/** Fields of a document that a template read. The dates are of the Gregorian calendar, YYYY-MM-DD. */
export interface TemplateFields extends Readonly<Partial<Record<TemplateFieldName, string>>> {
  readonly documentType: string
  readonly issuingCountry: string
  readonly nationality: string | null
  readonly expires: boolean
}

/** The text of one side, read twice. */
export type TwoReadings = readonly [TextBlock[], TextBlock[]]

/** What a template read on a side. */
export interface TemplateReading {
  readonly side: Side
  readonly fields: readonly FieldReading[]
}

/**
 * Confidence of its least certain word from which a value is certain, if the two readings of a side agree. Of drawn cards no such
 * value was wrong, down to 0.5; of single readings, some were wrong at 0.88.
 */
const SURE = 0.7
/** People who live are younger, and no document is valid for longer. */
const MOST_YEARS = 120

/** The result of the check, what was read, and the readings that led to it, which are personal data. */
export interface CheckedTemplate {
  readonly result: CheckResult
  readonly read: TemplateFields | null
  readonly readings: readonly TemplateReading[]
}

/** Result if there is nothing to read: the zone or the barcode has it already, or no template is set. */
export const templateNotRun = (code: 'not_needed' | 'zone_not_read' | 'no_templates'): CheckedTemplate => ({
  result: notRun('document_template', code),
  read: null,
  readings: [],
})

/**
 * Reads a document by the first template whose headings are on the sides that were sent. `read` is null unless the check
 * passed: both readings of every required field agree and are certain, and what both sides say is the same.
 *
 * @param options.sent the sides that were sent
 * @param options.recognize recognizes the text of a side twice, in different ways; called once for each language
 * @param options.today YYYY-MM-DD
 */
export async function checkTemplate(options: {
  templates: readonly Template[]
  sent: readonly Side[]
  recognize: (side: Side, languages: readonly string[]) => Promise<TwoReadings>
  today: string
}): Promise<CheckedTemplate> {
  const { templates, sent, today } = options
  if (templates.length === 0) return templateNotRun('no_templates')
  const pages = new Map<string, Promise<TwoReadings>>()
  const recognize = (side: Side, languages: string): Promise<TwoReadings> => {
    const key = `${side} ${languages}`
    const page = pages.get(key) ?? options.recognize(side, toLanguageCodes(languages) ?? [])
    pages.set(key, page)
    return page
  }
  for (const template of templates) {
    const readings = await readSides(template, sent, recognize)
    if (readings !== null) return judge(template, readings, today)
  }
  return {
    result: {
      ...notRun('document_template', 'document_not_recognised'),
      outcome: 'warning',
      score: 0,
      evidence: { templates: templates.length },
    },
    read: null,
    readings: [],
  }
}

/** What two readings of a side agree on: each as sure as the less certain one. */
const agreementOf = (one: readonly FieldReading[], other: readonly FieldReading[]): FieldReading[] =>
  one.flatMap((reading) =>
    other
      .filter(({ field }) => field === reading.field)
      .map((second) => ({
        ...reading,
        labels: Math.min(reading.labels, second.labels),
        confidence: Math.min(reading.confidence, second.confidence),
        value: reading.value === second.value ? reading.value : null,
      })),
  )

/** Returns null if a side is not of the template. The front is read first, because all templates have one. */
async function readSides(
  template: Template,
  sent: readonly Side[],
  recognize: (side: Side, languages: string) => Promise<TwoReadings>,
): Promise<TemplateReading[] | null> {
  const readings: TemplateReading[] = []
  for (const side of sent) {
    const wanted = template.sides.find((one) => one.side === side)
    if (wanted === undefined) continue
    const [one, other] = (await recognize(side, wanted.languages)).map((blocks) => readSide(blocks, wanted))
    if (one == null || other == null) return null
    readings.push({ side, fields: agreementOf(one, other) })
  }
  return template.sides
    .map(({ side }) => readings.find((reading) => reading.side === side))
    .filter((reading) => reading !== undefined)
}

function judge(template: Template, readings: readonly TemplateReading[], today: string): CheckedTemplate {
  const all = readings.flatMap(({ side, fields }) => fields.map((reading) => ({ side, reading })))
  const isSure = ({ field, value, confidence }: FieldReading) =>
    value !== null && confidence >= SURE && isPlausible(field, value, today)
  const sure = all.filter(({ reading }) => isSure(reading))
  const required = all.filter(({ reading }) => reading.required)
  const isComplete = required.every(({ reading }) => isSure(reading))
  const isConsistent = sure.every(({ side, reading }) =>
    sure.every(
      (other) =>
        other.reading.value === reading.value ||
        kindOf(template, other.side, other.reading.field) !== kindOf(template, side, reading.field),
    ),
  )
  const least = Math.min(...required.map(({ reading }) => reading.confidence))
  const isRead = isComplete && isConsistent
  const result: CheckResult = {
    check: 'document_template',
    outcome: isRead ? 'passed' : 'warning',
    code: !isConsistent ? 'fields_differ' : isComplete ? 'fields_read' : 'fields_unsure',
    score: isRead ? toScore(least) : 0.3,
    evidence: {
      template: template.name,
      sides: readings.length,
      labels_found: all.filter(({ reading }) => reading.labels > 0).length,
      fields_read: sure.length,
      fields: all.length,
      confidence: toScore(least) ?? 0,
      confidence_min: SURE,
    },
    model: modelOf(template),
  }
  return {
    result,
    read: isRead
      ? toRead(
          template,
          sure.map(({ reading }) => reading),
        )
      : null,
    readings,
  }
}

/** Readings of one kind must be equal. A name in two scripts is of two kinds. */
function kindOf(template: Template, side: Side, field: TemplateFieldName): string {
  const definition = template.sides.find((one) => one.side === side)?.fields[field]
  return definition?.kind === 'name' ? `${field} ${definition.script}` : field
}

function toRead(template: Template, sure: readonly FieldReading[]): TemplateFields {
  const {
    document_type: documentType,
    issuing_country: issuingCountry,
    nationality = null,
    expires,
  } = template
  // The first side gives the value.
  const fields = Object.fromEntries(sure.toReversed().map(({ field, value }) => [field, value ?? undefined]))
  return { ...fields, documentType, issuingCountry, nationality, expires }
}

/** A year that was misread, and is still one, is often impossible. */
function isPlausible(field: TemplateFieldName, value: string, today: string): boolean {
  const years = Number(value.slice(0, 4)) - Number(today.slice(0, 4))
  if (field === 'date_of_birth') return value <= today && years >= -MOST_YEARS
  return field !== 'expiry_date' || Math.abs(years) <= MOST_YEARS
}

/** With a digest, because an operator may change a template without renaming it. */
const modelOf = (template: Template): string =>
  `${template.name}/${createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 8)}`
