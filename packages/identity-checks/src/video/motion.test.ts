import { thorough } from '@vaani/test-services/thorough'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../scripts/random.ts'
import { checkMotion } from './motion.ts'
import type { Frames } from './read-frames.ts'

const [width, height] = [160, 120]
const SECONDS = 6

/** Films a pattern whose position over time is `place`, with different noise in each frame, like that of compression. */
function film(options: { perSecond: number; place: (seconds: number) => number; noise?: number }): Frames {
  const { perSecond, place, noise = 0 } = options
  const random = createRandom(1)
  const frames = Array.from({ length: SECONDS * perSecond }, (_, index) => {
    const left = place(index / perSecond)
    // One value per block, because the block's mean would cancel the noise of single pixels.
    const noises = Array.from({ length: (width / 4) * (height / 4) }, () => (random() * 2 - 1) * noise)
    return Uint8Array.from({ length: width * height }, (__, at) => {
      const [x, y] = [at % width, Math.floor(at / width)]
      const value = 128 + 60 * Math.sin((x - left) / 9) * Math.cos(y / 11 + (x - left) / 40)
      return value + (noises[(y >> 2) * (width / 4) + (x >> 2)] ?? 0)
    })
  })
  return { width, height, perSecond, frames }
}
const sway = (seconds: number) => 12 * Math.sin(seconds * 1.7) + 9 * Math.sin(seconds * 2.9 + 1)
const repeat = (place: (seconds: number) => number, period: number) => (seconds: number) =>
  // The epsilon keeps rounding from placing times at the seam now before, now after it.
  place((seconds + 1e-6) % period)

describe.each(thorough({ usual: [15], long: [15, 24, 25, 30] }))('at %d frames a second', (perSecond) => {
  test('a movement that never repeats passes', () => {
    expect(checkMotion(film({ perSecond, place: sway, noise: 2.5 }))).toMatchObject({ outcome: 'passed' })
  })

  test.each([0.13, 0.6, 1, 1.4, 2])('a loop of about %d s is detected despite compression noise', (about) => {
    const period = Math.round(about * perSecond) / perSecond
    const looped = film({ perSecond, place: repeat(sway, period), noise: 2.5 })
    expect(checkMotion(looped)).toMatchObject({ outcome: 'warning', code: 'video_looped' })
  })

  test('uneven nods are not a loop, but identical nods are', () => {
    const nod = (seconds: number) => 14 * Math.sin((2 * Math.PI * seconds) / 1.2)
    const uneven = (seconds: number) => nod(seconds + 0.08 * Math.sin(seconds * 2.1))
    expect(checkMotion(film({ perSecond, place: uneven }))).toMatchObject({ outcome: 'passed' })
    expect(checkMotion(film({ perSecond, place: nod }))).toMatchObject({ code: 'video_looped' })
  })
})
