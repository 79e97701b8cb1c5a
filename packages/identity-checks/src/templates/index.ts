/** Reading documents that have no machine-readable zone, by templates. */
export { BUILT_IN_TEMPLATES } from './built-in.ts'
export { parseTemplate, TemplateError } from './template.ts'
export type { Side, Template, TemplateFieldName } from './template.ts'
export type { FieldReading } from './read-side.ts'
export type { CheckedTemplate, TemplateFields, TemplateReading } from './check-template.ts'
export { tryTemplate } from './try-template.ts'
