/** Draws documents of `count` random people from a seed, one line of JSON each, for the benchmarks. */
import {
  cardLines,
  drawCardBack,
  drawPassport,
  drawTd2,
  drawVisa,
  passportLines,
  type Person,
  td2Lines,
  visaLines,
} from './draw-specimen.ts'
import type { Drawn } from './drawn-people.ts'
import { createRandom } from './random.ts'

const [count, seed, names, formats] = process.argv.slice(2)
const random = createRandom(Number(seed))
const pick = (text: string) => text[Math.floor(random() * text.length)] ?? ''
const letters = (length: number) => Array.from({ length }, () => pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ')).join('')
const two = (value: number) => String(value).padStart(2, '0')
const date = (fromYear: number, years: number) =>
  two((fromYear + Math.floor(random() * years)) % 100) +
  two(1 + Math.floor(random() * 12)) +
  two(1 + Math.floor(random() * 28))

/**
 * Random letters are the hardest case for the zone. Readers of print rely on word shapes, so its benchmark needs real
 * names.
 */
const areNamed = names === 'named'
const SURNAMES =
  'SHRESTHA GURUNG OKAFOR TANAKA SILVA NOVAK JOHANSSON MUELLER DUBOIS KOWALSKI MENSAH RAHMAN CASTILLO NGUYEN PETROVA HADDAD'
const GIVEN_NAMES =
  'SITA BIKRAM AMARA KENJI LUCAS JANA ERIK HANNA CAMILLE TOMASZ KOFI FATIMA DIEGO LINH OLGA OMAR MARIA ANIL'
const oneOf = (names: string) => {
  const all = names.split(' ')
  return all[Math.floor(random() * all.length)] ?? ''
}

interface Kind {
  readonly format: string
  /** Where the zone begins, as a share of the height. */
  readonly zoneTop: number
  readonly draw: (person: Person) => Promise<Buffer>
  readonly lines: (person: Person) => string[]
}
const PASSPORT: Kind = { format: 'TD3', zoneTop: 0.82, draw: drawPassport, lines: passportLines }
const KINDS: readonly Kind[] = [
  PASSPORT,
  { format: 'TD1', zoneTop: 0.61, draw: drawCardBack, lines: cardLines },
  { format: 'TD2', zoneTop: 0.8, draw: drawTd2, lines: td2Lines },
  {
    format: 'MRV-A',
    zoneTop: 0.8,
    draw: (person) => drawVisa(person, 44),
    lines: (person) => visaLines(person, 44),
  },
  {
    format: 'MRV-B',
    zoneTop: 0.8,
    draw: (person) => drawVisa(person, 36),
    lines: (person) => visaLines(person, 36),
  },
]

for (let index = 0; index < Number(count); index++) {
  const person: Person = {
    surname: areNamed ? oneOf(SURNAMES) : letters(4 + Math.floor(random() * 8)),
    givenNames: areNamed
      ? `${oneOf(GIVEN_NAMES)} ${oneOf(GIVEN_NAMES)}`
      : `${letters(3 + Math.floor(random() * 6))} ${letters(3 + Math.floor(random() * 4))}`,
    documentNumber: Array.from({ length: 9 }, () => pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')).join(''),
    birth: date(1950, 50),
    expiry: date(2027, 9),
    sex: random() < 0.5 ? 'F' : 'M',
  }
  const kind = KINDS[index % (formats === 'all' ? KINDS.length : 2)] ?? PASSPORT
  const drawn: Drawn = {
    format: kind.format,
    zoneTop: kind.zoneTop,
    lines: kind.lines(person),
    png: (await kind.draw(person)).toString('base64'),
  }
  process.stdout.write(`${JSON.stringify(drawn)}\n`)
}
