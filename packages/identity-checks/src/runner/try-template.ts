import type { CheckedTemplate } from '../templates/check-template.ts'
import { readFiles } from './read-template.ts'
import { parseTemplate } from '../templates/template.ts'

/**
 * Reads pictures by a template in this thread, without limits, to see what it reads while you write it. The readings are what was
 * printed, so they are personal data.
 *
 * @param template as in its file
 * @param options.front path of a picture
 * @param options.today YYYY-MM-DD; by default today
 * @throws TemplateError if the template is invalid
 * @throws MediaError if a picture cannot be opened
 */
export function tryTemplate(
  template: unknown,
  options: { front: string; back?: string; today?: string },
): Promise<CheckedTemplate> {
  const { front, back = null, today = new Date().toISOString().slice(0, 10) } = options
  return readFiles({ frontImage: front, backImage: back }, { templates: [parseTemplate(template)], today })
}
