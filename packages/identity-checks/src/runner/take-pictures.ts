import { readFile } from 'node:fs/promises'
import type { Portrait } from '../faces/check-faces.ts'
import { type JpegPicture, toJpegPicture } from '../image/jpeg-picture.ts'
import { type OpenedImage, reopenImage, turnImage } from '../image/open-image.ts'
import { toRgbPicture } from '../image/rgb-picture.ts'
import type { Frame } from '../video/frame.ts'
import { type PictureSampling, readPictures } from '../video/read-frames.ts'

export const openFile = async (file: string): Promise<OpenedImage> => reopenImage(await readFile(file))

/** Opens a picture, rotated clockwise. */
export const openTurned = async (file: string, degrees: number): Promise<OpenedImage> =>
  turnImage(await openFile(file), degrees)

interface PortraitFiles {
  readonly frontImage: string
  readonly frontTurnDegrees: number
  readonly referencePortrait: string | null
}

/** Reads the pictures that the face in the video must match: that of the document, and the reference portrait if there is one. */
export async function readPortraits({
  frontImage,
  frontTurnDegrees,
  referencePortrait,
}: PortraitFiles): Promise<readonly Portrait[]> {
  const read = async (file: string, source: Portrait['source'], turnDegrees = 0): Promise<Portrait> => ({
    source,
    picture: await toRgbPicture(await openTurned(file, turnDegrees)),
  })
  const document = await read(frontImage, 'document', frontTurnDegrees)
  return referencePortrait === null
    ? [document]
    : [document, await read(referencePortrait, 'reference_portrait')]
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
