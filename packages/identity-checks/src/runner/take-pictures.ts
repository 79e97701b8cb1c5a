import { readFile } from 'node:fs/promises'
import type { Portrait } from '../faces/check-faces.ts'
import { type JpegPicture, toJpegPicture } from '../image/jpeg-picture.ts'
import { type OpenedImage, reopenImage } from '../image/open-image.ts'
import type { PlacedArtifact } from '../image/place.ts'
import { toRgbPicture } from '../image/rgb-picture.ts'
import type { Frame } from '../video/frame.ts'
import { type PictureSampling, readPictures } from '../video/read-frames.ts'

export const openFile = async (file: string): Promise<OpenedImage> => reopenImage(await readFile(file))

interface PortraitFiles {
  readonly frontImage: string
  /** Null if it is not known how the front lies. */
  readonly frontTurnDegrees: number | null
  readonly referencePortrait: string | null
}

/**
 * Reads the pictures that the face in the video must match: that of the document, in all four turns if it is not known how it lies, and the
 * reference portrait if there is one.
 */
export async function readPortraits(
  { frontImage, frontTurnDegrees, referencePortrait }: PortraitFiles,
  open: (file: string) => Promise<OpenedImage> = openFile,
): Promise<readonly Portrait[]> {
  const front = await open(frontImage)
  const turns = frontTurnDegrees === null ? [0, 90, 180, 270] : [frontTurnDegrees]
  const ofDocument = { source: 'document', artifact: 'front_image' } as const
  const document = turns.map((turnDegrees) => readPortrait(front, { ...ofDocument, turnDegrees }))
  if (referencePortrait === null) return Promise.all(document)
  const reference = await openFile(referencePortrait)
  const source = 'reference_portrait'
  return Promise.all([...document, readPortrait(reference, { source, artifact: source, turnDegrees: 0 })])
}

async function readPortrait(
  image: OpenedImage,
  options: { source: Portrait['source']; artifact: PlacedArtifact; turnDegrees: number },
): Promise<Portrait> {
  const { source, artifact, turnDegrees } = options
  const { width, height } = image
  return {
    source,
    picture: await toRgbPicture(image, turnDegrees),
    original: { artifact, width, height, turnDegrees },
  }
}

/** Pictures for an engine on a server. */
export interface TakenPictures {
  /** Null if no program to extract frames is installed. */
  readonly frames: readonly Frame<JpegPicture>[] | null
  readonly portraits: readonly Portrait<JpegPicture>[]
}

/** Reads pictures of a video, and the portraits if their files are given. */
export async function takePictures(input: {
  video: string
  sampling: PictureSampling
  portraits: PortraitFiles | null
}): Promise<TakenPictures> {
  const frames = await readPictures(input.video, input.sampling)
  const portraits = input.portraits === null ? [] : await readPortraits(input.portraits)
  const encode = async <One extends Portrait | Frame>(one: One) => ({
    ...one,
    picture: await toJpegPicture(one.picture),
  })
  return {
    frames: frames && (await Promise.all(frames.map(encode))),
    portraits: await Promise.all(portraits.map(encode)),
  }
}
