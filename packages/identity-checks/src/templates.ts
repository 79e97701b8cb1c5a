/** Reading documents that have no machine-readable zone, by templates. */
export { BUILT_IN_TEMPLATES } from './templates/built-in.ts'
export { parseTemplate, TemplateError } from './templates/template.ts'
export type { Side, Template, TemplateFieldName } from './templates/template.ts'
export type { FieldReading } from './templates/read-side.ts'
export type { CheckedTemplate, TemplateFields, TemplateReading } from './templates/check-template.ts'
export { tryTemplate } from './runner/try-template.ts'
