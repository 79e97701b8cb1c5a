import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { specimen } from '../../../test/media.ts'
import { runFaceEngineConformance } from '../../conformance/face-engine.ts'
import { openImage } from '../../image/open-image.ts'
import { resizePicture, type RgbPicture, toRgbPicture } from '../../image/rgb-picture.ts'
import { FACE_SAMPLING, readPictures } from '../../video/read-frames.ts'
import { checkFaces } from '../check-faces.ts'
import type { FaceEngine } from '../face-engine.ts'
import { createFaceApiEngine } from './face-api-engine.ts'

const open = async (name: string): Promise<RgbPicture> =>
  toRgbPicture(await openImage(await readFile(specimen(name))))

/** Puts pictures of one height side by side. */
function beside(one: RgbPicture, other: RgbPicture): RgbPicture {
  const width = one.width + other.width
  const data = new Uint8Array(width * one.height * 3)
  for (let row = 0; row < one.height; row++) {
    data.set(one.data.subarray(row * one.width * 3, (row + 1) * one.width * 3), row * width * 3)
    data.set(
      other.data.subarray(row * other.width * 3, (row + 1) * other.width * 3),
      (row * width + one.width) * 3,
    )
  }
  return { data, width, height: one.height }
}
const wall: RgbPicture = { data: new Uint8Array(640 * 640 * 3).fill(200), width: 640, height: 640 }
const darker = ({ data, ...size }: RgbPicture): RgbPicture => ({
  ...size,
  data: data.map((value) => 0.9 * value),
})
const person = () => open('person.jpg')
const otherPerson = () => open('other-person.jpg')

/** One for all tests, because it takes a second to load. Disposing of it frees nothing. */
let engine: FaceEngine
beforeAll(async () => {
  engine = await createFaceApiEngine()
})

runFaceEngineConformance({
  name: 'face-api',
  createEngine: () => engine,
  pictures: {
    face: person,
    sameFace: async () => darker(await person()),
    otherFace: otherPerson,
    twoFaces: async () => beside(await person(), await otherPerson()),
    noFace: async () => wall,
  },
})

async function judge(frames: readonly RgbPicture[]) {
  const readPortraits = async () => [
    { picture: await open('passport.jpg'), source: 'document' as const },
    { picture: await person(), source: 'reference_portrait' as const },
  ]
  return (await checkFaces({ engine, frames, readPortraits })).map(({ outcome, code }) => [outcome, code])
}

test('the person of a video matches the passport and the portrait', { tags: 'ffmpeg' }, async () => {
  const frames = await readPictures(specimen('liveness.mp4'), FACE_SAMPLING)
  expect(await judge((frames ?? []).map(({ picture }) => picture))).toEqual([
    ['passed', 'face_found'],
    ['passed', 'face_matches'],
  ])
})

test('another person does not match, and one face is distinguished from two and none', async () => {
  const other = await otherPerson()
  expect(await judge([other, other, other])).toEqual([
    ['passed', 'face_found'],
    ['failed', 'face_mismatch'],
  ])
  const two = beside(await person(), other)
  expect((await judge([two, two, two]))[0]).toEqual(['warning', 'several_faces'])
  expect(await judge([wall, wall, await person()])).toEqual([
    ['failed', 'no_face'],
    ['warning', 'too_few_faces'],
  ])
})

test('a face that fills the picture is found', async () => {
  const whole = await person()
  const [[face] = []] = (await engine.detect([whole])).faces
  if (face === undefined) throw new Error('No face was found')
  const { left, top, width, height } = face.box
  const close = await resizePicture(whole, { width: 640, height: 640, box: { left, top, width, height } })
  const [found = []] = (await engine.detect([close])).faces
  expect(found).toHaveLength(1)
  expect(found[0]?.box.width).toBeGreaterThan(400)
})
