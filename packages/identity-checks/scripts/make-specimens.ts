/** Writes the specimens that tests and the sandbox use: `node --conditions=source scripts/make-specimens.ts`. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { photograph, recapture } from './camera.ts'
import { ANNA as ANNAS_FACE, drawPicture, OTHER as OTHERS_FACE } from './draw-face.ts'
import { ANNA, drawCardBack, drawCardFront, drawPassport } from './draw-specimen.ts'

const folder = path.resolve(import.meta.dirname, '../specimens')
const EXPIRED = { ...ANNA, expiry: '120415' }

const passport = await drawPassport(ANNA)
const specimens: Readonly<Record<string, Buffer>> = {
  'passport.jpg': await photograph(passport),
  'passport-expired.jpg': await photograph(await drawPassport(EXPIRED)),
  'passport-blurred.jpg': await sharp(await photograph(passport))
    .blur(6)
    .jpeg({ quality: 88 })
    .toBuffer(),
  'passport-on-screen.jpg': await recapture(passport),
  'card-front.jpg': await photograph(await drawCardFront(ANNA)),
  'card-back.jpg': await photograph(await drawCardBack(ANNA)),
}
for (const [name, bytes] of Object.entries(specimens)) await writeFile(path.join(folder, name), bytes)

/** People who do not exist, drawn, for engines of faces. */
for (const [name, face] of [
  ['person', ANNAS_FACE],
  ['other-person', OTHERS_FACE],
] as const) {
  const { data, width, height } = await drawPicture(face)
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer()
  await writeFile(path.join(folder, `${name}.jpg`), jpeg)
}
