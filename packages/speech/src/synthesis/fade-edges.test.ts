import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fadeEdges } from './fade-edges.ts'

const LOUD = 10_000

async function faded(lengths: readonly number[], fadeSamples: number): Promise<number[]> {
  async function* chunks() {
    for (const length of lengths) yield new Int16Array(length).fill(LOUD)
  }
  return (await Array.fromAsync(fadeEdges(chunks(), fadeSamples))).flatMap((chunk) => [...chunk])
}

test('rises from silence and falls to silence in equal steps, for any chunks', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 20 }),
      async (lengths, fadeSamples) => {
        const total = lengths.reduce((sum, length) => sum + length, 0)
        const samples = await faded(lengths, fadeSamples)
        expect(samples).toHaveLength(total)
        expect(samples).toEqual(await faded([total], fadeSamples))
        if (total < 2) return
        expect([samples[0], samples.at(-1)]).toEqual([0, 0])
        const length = Math.min(fadeSamples, Math.floor(total / 2))
        const steps = samples.slice(1).map((sample, index) => Math.abs(sample - (samples[index] ?? 0)))
        expect(Math.max(...steps)).toBeLessThanOrEqual(LOUD / length + 1)
        expect(samples.slice(length, total - length).every((sample) => sample === LOUD)).toBe(true)
      },
    ),
    { numRuns: 200 },
  ))

test('does not change what it is given', async () => {
  const given = new Int16Array(10).fill(LOUD)
  await Array.fromAsync(
    fadeEdges(
      (async function* () {
        yield given
      })(),
      4,
    ),
  )
  expect([...given]).toEqual(Array.from({ length: 10 }, () => LOUD))
})
