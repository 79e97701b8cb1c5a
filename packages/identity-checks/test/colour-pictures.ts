/** Pictures for engines that know only colours: a bright red half is a "face", and green is "live". */
import type { FaceConformanceOptions } from '../src/conformance/face-engine.ts'
import type { RgbPicture } from '../src/image/rgb-picture.ts'
import type { Frame } from '../src/video/frame.ts'

const SIDE = 64

const plain = (red: number, green: number, blue: number): RgbPicture => ({
  data: Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, index) => [red, green, blue][index % 3] ?? 0),
  width: SIDE,
  height: SIDE,
})

const halves = (left: RgbPicture, right: RgbPicture): RgbPicture => ({
  data: Uint8Array.from({ length: 2 * SIDE * SIDE * 3 }, (_, index) => {
    const pixel = Math.floor(index / 3)
    const [x, y] = [pixel % (2 * SIDE), Math.floor(pixel / (2 * SIDE))]
    const half = x < SIDE ? left : right
    return half.data[(y * SIDE + (x % SIDE)) * 3 + (index % 3)] ?? 0
  }),
  width: 2 * SIDE,
  height: SIDE,
})

const [warm, warmer, cold, dark] = [
  plain(255, 60, 40),
  plain(255, 70, 50),
  plain(255, 20, 255),
  plain(0, 90, 90),
]

export const COLOUR_FACES: FaceConformanceOptions['pictures'] = {
  face: async () => halves(warm, dark),
  sameFace: async () => halves(warmer, dark),
  otherFace: async () => halves(cold, dark),
  twoFaces: async () => halves(warm, cold),
  noFace: async () => halves(dark, dark),
}

const film = (...pictures: readonly RgbPicture[]): readonly Frame[] =>
  pictures.map((picture, second) => ({ picture, timeMs: second * 1000 }))

export const COLOUR_FILMS = {
  live: async () => film(plain(0, 250, 0), plain(9, 240, 0), plain(0, 20, 0)),
  notLive: async () => film(plain(200, 10, 0), plain(200, 10, 0)),
}
