import type { CheckedTemplate } from '../templates/check-template.ts'
import { parseTemplate } from '../templates/template.ts'
import { readSides } from './read-template.ts'
import { openFile } from './take-pictures.ts'

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
export async function tryTemplate(
  template: unknown,
  options: { front: string; back?: string; today?: string },
): Promise<CheckedTemplate> {
  const { front, back, today = new Date().toISOString().slice(0, 10) } = options
  const templates = [parseTemplate(template)]
  const sides = await Promise.all(back === undefined ? [openFile(front)] : [openFile(front), openFile(back)])
  const { result, read, readings } = await readSides(sides, { templates, today })
  return { result, read, readings }
}
