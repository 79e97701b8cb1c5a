import nepalCitizenship from '../../templates/nepal-citizenship.json' with { type: 'json' }
import { parseTemplate, type Template } from './template.ts'

/** The templates that are known without any setting. */
export const BUILT_IN_TEMPLATES: readonly Template[] = [nepalCitizenship].map(parseTemplate)
