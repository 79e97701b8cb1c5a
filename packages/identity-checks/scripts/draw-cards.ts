/** Draws both sides of citizenship cards of `count` random people from a seed, one line of JSON each, for the benchmarks. */
import { drawCitizenshipBack, drawCitizenshipFront, randomCitizen } from './draw-citizenship.ts'
import type { DrawnCard } from './drawn-people.ts'
import { createRandom } from './random.ts'

const [count, seed] = process.argv.slice(2).map(Number)
const random = createRandom(seed ?? 0)
for (let index = 0; index < (count ?? 0); index++) {
  const person = randomCitizen(random)
  const sides = await Promise.all([drawCitizenshipFront(person), drawCitizenshipBack(person)])
  const card: DrawnCard = { person, pngs: sides.map((png) => png.toString('base64')) }
  process.stdout.write(`${JSON.stringify(card)}\n`)
}
