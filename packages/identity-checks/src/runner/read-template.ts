import { despeckle } from '../image/despeckle.ts'
import { type OpenedImage, readGrey } from '../image/open-image.ts'
import { type Place, toPlace, toPlaced } from '../image/place.ts'
import { cornersOf, mapCorners, type Size, turnBack } from '../image/turn.ts'
import type { UprightText } from '../ocr/recognize-upright.ts'
import {
  type CheckedTemplate,
  checkTemplate,
  type TemplateReading,
  templateNotRun,
} from '../templates/check-template.ts'
import { type Side, SIDES, type Template } from '../templates/template.ts'
import type { Findings } from './job.ts'

/** The longest side of a picture that is read. */
const LONGEST = 2400
/** The second reading is of a smaller picture, in which letters fall on other pixels, and of all its fine print. */
const SECOND_SCALE = 0.8

/** What was read, and by how much the front must be rotated clockwise to be upright; null if its print did not show that. */
export interface ReadTemplate extends CheckedTemplate {
  readonly frontTurnDegrees: number | null
}

/**
 * Reads a document by a template, unless its zone or its barcode was read. A zone that was not read with certainty is no reason to do
 * without it.
 *
 * @param sides the front, and the back if it was sent
 */
export async function readTemplate(
  sides: readonly OpenedImage[],
  options: { findings: Findings; templates: readonly Template[]; today: string },
): Promise<ReadTemplate> {
  const { findings, templates, today } = options
  if (findings.mrz !== null || findings.barcode !== null)
    return { ...templateNotRun('not_needed'), frontTurnDegrees: null }
  if (findings.hasUnsureZone) return { ...templateNotRun('zone_not_read'), frontTurnDegrees: null }
  return readSides(sides, { templates, today })
}

interface SideText extends UprightText {
  /** Size of the side before it was turned upright. */
  readonly scaled: Size
}

/** Reads the sides of a document. */
export async function readSides(
  sides: readonly OpenedImage[],
  { templates, today }: { templates: readonly Template[]; today: string },
): Promise<ReadTemplate> {
  const texts = new Map<Side, SideText>()
  const { result, ...checked } = await checkTemplate({
    templates,
    today,
    sent: SIDES.slice(0, sides.length),
    async recognize(side, languages) {
      const image = sides[SIDES.indexOf(side)]
      if (image === undefined) return [[], []]
      // Loaded on first use, because most documents have a zone.
      const { recognizeUpright } = await import('../ocr/recognize-upright.ts')
      const picture = await readGrey(image, LONGEST)
      const first = await recognizeUpright(despeckle(picture), languages, {
        rotation: rotationOf(texts.get(side)),
      })
      texts.set(side, { ...first, scaled: picture })
      const longest = Math.round(SECOND_SCALE * Math.max(picture.width, picture.height))
      const small = await readGrey(image, longest)
      const second = await recognizeUpright(small, languages, { rotation: rotationOf(first) })
      return [first.blocks, second.blocks]
    },
  })
  const rotation = rotationOf(texts.get('front'))
  const places = placesOf(checked.readings, { sides, texts })
  return {
    ...checked,
    result: { ...result, ...(places.length > 0 && { places }) },
    frontTurnDegrees: rotation === undefined ? null : (Math.round(rotation / 90) * 90 + 360) % 360,
  }
}

const rotationOf = (text: UprightText | undefined): number | undefined =>
  text?.isUpright === true ? text.rotation : undefined

function placesOf(
  readings: readonly TemplateReading[],
  { sides, texts }: { sides: readonly OpenedImage[]; texts: ReadonlyMap<Side, SideText> },
): Place[] {
  return toPlaced(sides).flatMap((picture, index) => {
    const side = SIDES[index]
    const text = side && texts.get(side)
    if (text === undefined) return []
    const fields = readings.find((reading) => reading.side === side)?.fields ?? []
    const toImage = turnBack({
      degrees: text.rotation,
      turned: text.picture,
      scaled: text.scaled,
      original: picture,
    })
    return fields.flatMap(({ field, box }) =>
      box === null ? [] : [toPlace(picture, field, mapCorners(cornersOf(box), toImage))],
    )
  })
}
