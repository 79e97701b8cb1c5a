import { despeckle } from '../image/despeckle.ts'
import { readGrey } from '../image/open-image.ts'
import type { CheckFiles, Findings } from './job.ts'
import { openFile } from './take-pictures.ts'
import { type CheckedTemplate, checkTemplate, templateNotRun } from '../templates/check-template.ts'
import type { Side, Template } from '../templates/template.ts'

/** The longest side of a picture that is read. */
const SIDE = 2400
/** The second reading is of a smaller picture, in which letters fall on other pixels, and of all its fine print. */
const SECOND_SCALE = 0.8

/**
 * Reads a document by a template, unless its zone or its barcode was read. A zone that was not read with certainty is no reason to do
 * without it.
 */
export async function readTemplate(
  files: Pick<CheckFiles, 'frontImage' | 'backImage'>,
  options: { findings: Findings; templates: readonly Template[]; today: string },
): Promise<CheckedTemplate> {
  const { findings, templates, today } = options
  if (findings.mrz !== null || findings.barcode !== null) return templateNotRun('not_needed')
  if (findings.hasUnsureZone) return templateNotRun('zone_not_read')
  return readFiles(files, { templates, today })
}

/** Reads the sides of a document. */
export function readFiles(
  { frontImage, backImage }: Pick<CheckFiles, 'frontImage' | 'backImage'>,
  { templates, today }: { templates: readonly Template[]; today: string },
): Promise<CheckedTemplate> {
  return checkTemplate({
    templates,
    today,
    sent: backImage === null ? ['front'] : ['front', 'back'],
    async recognize(side: Side, languages) {
      const image = await openFile(side === 'front' ? frontImage : (backImage ?? frontImage))
      // Loaded on first use, because most documents have a zone.
      const { recognizeUpright } = await import('../ocr/recognize-upright.ts')
      const picture = await readGrey(image, SIDE)
      const second = Math.round(SECOND_SCALE * Math.max(picture.width, picture.height))
      return [
        (await recognizeUpright(despeckle(picture), languages)).blocks,
        (await recognizeUpright(await readGrey(image, second), languages)).blocks,
      ]
    },
  })
}
