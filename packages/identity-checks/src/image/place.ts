import { type Corners, mapCorners, type Size } from './turn.ts'

/** Pictures on which a check can find something. */
const PLACED_ARTIFACTS = ['front_image', 'back_image', 'reference_portrait'] as const
export type PlacedArtifact = (typeof PLACED_ARTIFACTS)[number]

/** Where on a picture a check found something, to draw it there. */
export interface Place extends Size {
  /** The picture, rotated as its EXIF orientation says; `width` and `height` are its size in pixels. */
  readonly artifact: PlacedArtifact
  /** What is there: `zone`, `barcode`, `face` or the name of a field. */
  readonly what: string
  /** Pixels: from the top left of what is there, as it is read, clockwise. */
  readonly corners: Corners
}

/** A picture on which something is found. */
export type PlacedPicture = Pick<Place, 'artifact' | 'width' | 'height'>

/** Creates a place, in whole pixels. */
export const toPlace = (
  { artifact, width, height }: PlacedPicture,
  what: string,
  corners: Corners,
): Place => ({
  artifact,
  what,
  width,
  height,
  corners: mapCorners(corners, ({ x, y }) => ({ x: Math.round(x), y: Math.round(y) })),
})

/** Names the sides of a document, of which the front is the first. */
export const toPlaced = (sides: readonly Size[]): PlacedPicture[] =>
  sides.flatMap(({ width, height }, index) => {
    const artifact = PLACED_ARTIFACTS[index]
    return artifact === undefined ? [] : [{ artifact, width, height }]
  })
