import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { checkSides } from './document-sides.ts'
import { describeLikeness, SAME_PARTS } from './likeness.ts'
import { openImage } from './open-image.ts'

const specimen = (name: string) => readFile(path.resolve(import.meta.dirname, '../../specimens', name))
const likenessOf = async (bytes: Buffer) => describeLikeness(await openImage(bytes))

test('a picture looks like itself encoded again, and like no other', async () => {
  const bytes = await specimen('card-front.jpg')
  const front = await likenessOf(bytes)
  expect(front).toHaveLength(16)
  for (const part of front) expect(part).toMatch(/^[0-9a-f]{12}$/)
  const encodedAgain = await likenessOf(await sharp(bytes).jpeg({ quality: 50 }).toBuffer())
  const back = await likenessOf(await specimen('card-back.jpg'))
  const equal = (other: readonly string[]) => front.filter((part, index) => part === other[index]).length
  expect(equal(encodedAgain)).toBeGreaterThan(SAME_PARTS)
  expect(equal(back)).toBe(0)
})

describe('the sides of a document', () => {
  const card = async (name: string) => openImage(await specimen(name))

  test.each([0, 90, 180, 270])(
    'are identical if one picture is sent twice, turned by %s degrees',
    async (degrees) => {
      const again = await sharp(await specimen('card-front.jpg'))
        .rotate(degrees)
        .resize({ width: 900 })
        .jpeg({ quality: 50 })
        .toBuffer()
      expect(await checkSides(await card('card-front.jpg'), await openImage(again))).toMatchObject({
        outcome: 'warning',
        code: 'sides_identical',
      })
    },
  )

  test('differ, or there is only one', async () => {
    const front = await card('card-front.jpg')
    expect(await checkSides(front, await card('card-back.jpg'))).toMatchObject({
      outcome: 'passed',
      code: 'sides_differ',
    })
    expect(await checkSides(front, null)).toMatchObject({ outcome: 'not_run', code: 'one_side' })
  })
})
