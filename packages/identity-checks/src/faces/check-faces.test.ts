import { expect, test } from 'vitest'
import { createEngine } from '../../test/colour-adapter.ts'
import { COLOUR_FACES } from '../../test/colour-pictures.ts'
import { checkFaces, type Portrait } from './check-faces.ts'

const engine = { ...createEngine(), [Symbol.asyncDispose]: async () => undefined }
const [person, samePerson, otherPerson, nobody] = await Promise.all([
  COLOUR_FACES.face(),
  COLOUR_FACES.sameFace(),
  COLOUR_FACES.otherFace(),
  COLOUR_FACES.noFace(),
])

const match = async (...portraits: readonly Portrait[]) => {
  const frames = [person, person, samePerson]
  return (await checkFaces({ engine, frames, readPortraits: async () => portraits }))[1]
}
const onDocument = (picture: Portrait['picture']): Portrait => ({ picture, source: 'document' })
const sentAlong = (picture: Portrait['picture']): Portrait => ({ picture, source: 'reference_portrait' })

test('the person of the document matches', async () => {
  const result = await match(onDocument(person))
  expect(result).toMatchObject({ outcome: 'passed', evidence: { portrait: 'document' } })
  expect(result.evidence).not.toHaveProperty('reference_portrait')
})

test('a portrait of the person does not cover for the document of another', async () => {
  const result = await match(onDocument(otherPerson), sentAlong(person))
  expect(result).toMatchObject({
    outcome: 'failed',
    code: 'face_mismatch',
    evidence: { portrait: 'document', document: result.score, reference_portrait: expect.any(Number) },
  })
  expect(result.evidence['reference_portrait']).toBeGreaterThan(0.9)
})

test('a document of the person does not cover for a portrait of another', async () => {
  expect(await match(onDocument(person), sentAlong(otherPerson))).toMatchObject({
    outcome: 'failed',
    evidence: { portrait: 'reference_portrait' },
  })
})

test('a document without a face leaves the match open, whatever the portrait shows', async () => {
  expect(await match(onDocument(nobody), sentAlong(person))).toMatchObject({
    outcome: 'warning',
    code: 'no_face_in_portrait',
    evidence: { document: 'no_face_in_portrait', reference_portrait: expect.any(Number) },
  })
})

test('the best match of a document in several turns counts', async () => {
  expect(await match(onDocument(nobody), onDocument(otherPerson), onDocument(person))).toMatchObject({
    outcome: 'passed',
    code: 'face_matches',
  })
  // A turn in which no face was found does not cover for a mismatch.
  expect(await match(onDocument(nobody), onDocument(otherPerson))).toMatchObject({ code: 'face_mismatch' })
})

test('both match', async () => {
  const result = await match(onDocument(samePerson), sentAlong(person))
  expect(result).toMatchObject({ outcome: 'passed', code: 'face_matches' })
  expect(result.score).toBe(
    Math.min(...['document', 'reference_portrait'].map((name) => Number(result.evidence[name]))),
  )
})
