import type { RgbPicture } from '../image/rgb-picture.ts'

/** A picture of a video. */
export interface Frame<Picture = RgbPicture> {
  readonly picture: Picture
  /** Time since the start of the video. */
  readonly timeMs: number
}
