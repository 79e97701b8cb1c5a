/**
 * Prints what a template reads on pictures: `node --conditions=vaani-source packages/identity-checks/scripts/try-template.ts TEMPLATE FRONT [BACK]`.
 * The output has personal data.
 */
import { readFile } from 'node:fs/promises'
import { tryTemplate } from '../src/runner/try-template.ts'

const [template, front, back] = process.argv.slice(2)
if (template === undefined || front === undefined)
  throw new Error('Name a template, the picture of a front and, if there is one, that of a back')
const { result, readings } = await tryTemplate(JSON.parse(await readFile(template, 'utf8')), {
  front,
  ...(back !== undefined && { back }),
})
const lines = readings.flatMap(({ side, fields }) =>
  fields.map(
    ({ field, labels, text, confidence, value }) =>
      `${side} ${field}: labels ${labels}, text ${JSON.stringify(text)}, confidence ${confidence}, value ${value}`,
  ),
)
process.stdout.write([...lines, `${result.outcome} ${result.code}`, ''].join('\n'))
