/**
 * `pnpm bench spoken`: speaks texts as written, such as `$12.50`, by the rules of `toSpokenText` and the engine of the language, and
 * their twins, which are spelled out in words, by the engine alone. The engine is Flite for English, and eSpeak NG for the other
 * languages. Compares the phonemes, without stress and pauses, and the lengths of the audio. The error rate is the number of phonemes to
 * change, add or remove, divided by those of the twin. “Other words” counts the cases that differ in more than how the engine reads
 * digits. For the columns “no rules”, the engine speaks the text as written. The cases are those of
 * `packages/speech/src/text/test/spoken-twins.json`; `--cases FILE` takes others, as JSON or, with `--language TAG`, as the lines of
 * NVIDIA/NeMo-text-processing.
 */
import { parseArgs } from 'node:util'
import { toSpokenText } from '@vaani/speech'
import { readCases, type SpokenCase } from './spoken/cases.ts'
import { editDistance } from './edit-distance.ts'
import { loadSpeakers } from './spoken/speakers.ts'

const { cases: file, language } = parseArgs({
  options: { cases: { type: 'string' }, language: { type: 'string' } },
}).values
const cases = readCases(file, language)
if (cases.length === 0) throw new Error('No case has a twin in words')

const speakers = await loadSpeakers()

/** How far a speech is from the twin's. */
interface Compared {
  phonemes: readonly string[]
  errorRate: number
  /** The longer audio divided by the shorter one. */
  lengthRatio: number
}

async function compare(text: string, twin: string, tag: string): Promise<Compared> {
  const { phonemesOf, samplesOf } = speakers.of(tag)
  const [phonemes, wanted] = [phonemesOf(text, tag), phonemesOf(twin, tag)]
  const lengths = [await samplesOf(text, tag), await samplesOf(twin, tag)]
  return {
    phonemes,
    errorRate: editDistance(phonemes, wanted) / Math.max(1, wanted.length),
    lengthRatio: Math.max(...lengths) / Math.max(1, Math.min(...lengths)),
  }
}

interface Judged extends SpokenCase {
  spoken: string
  /** The nearest of the twins. */
  twin: string
  ruled: Compared
  bare: Compared
}

async function judge(one: SpokenCase): Promise<Judged> {
  const spoken = toSpokenText(one.written, { language: one.language }).text
  const compared = await Promise.all(
    one.twins.map(async (twin) => ({ twin, ruled: await compare(spoken, twin, one.language) })),
  )
  const [nearest] = compared.toSorted((left, right) => left.ruled.errorRate - right.ruled.errorRate)
  if (nearest === undefined) throw new Error(`No twin of: ${one.written}`)
  return { ...one, ...nearest, spoken, bare: await compare(one.written, nearest.twin, one.language) }
}

/**
 * Tells apart what the rules say from how the engine reads the digits that they leave: whether the words around those are in
 * the twin, in order.
 */
function hasWordsOf({ spoken, twin }: Judged): boolean {
  const [plain, wanted] = [spoken, twin].map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim(),
  )
  let at = 0
  const words = (plain ?? '').split(/\p{N}+\p{L}*/u).map((part) => part.trim())
  return (
    words.length > 1 &&
    words.every((part) => {
      const found = wanted?.indexOf(part, at) ?? -1
      at = found + part.length
      return found >= 0
    })
  )
}

const judged: Judged[] = []
for (const one of cases) judged.push(await judge(one))
await speakers.close()

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const row = (cells: readonly (string | number)[]): void =>
  console.log(`| ${cells.map((cell) => String(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`)
const header = (names: readonly string[]): void => {
  row(names)
  row(names.map(() => '-'))
}

const SCORE = ['cases', 'same phonemes', 'other words', 'error rate', 'largest ratio of lengths']
const BARE = ['same, no rules', 'error rate, no rules']
function scoreOf(all: readonly Judged[]): (string | number)[] {
  const otherWords = all.filter((one) => one.ruled.errorRate > 0 && !hasWordsOf(one)).length
  const same = (of: 'ruled' | 'bare') => all.filter((one) => one[of].errorRate === 0).length
  const mean = (of: 'ruled' | 'bare') =>
    percent(all.reduce((sum, one) => sum + one[of].errorRate, 0) / all.length)
  const ratio = Math.max(...all.map(({ ruled }) => ruled.lengthRatio)).toFixed(2)
  return [all.length, same('ruled'), otherWords, mean('ruled'), ratio, same('bare'), mean('bare')]
}

console.log('## By language\n')
header(['language', ...SCORE, ...BARE])
for (const [tag, all] of Map.groupBy(judged, (one) => one.language)) row([tag, ...scoreOf(all)])
row(['**all**', ...scoreOf(judged)])

console.log('\n## By class\n')
header(['class', ...SCORE, ...BARE])
for (const [name, all] of Map.groupBy(judged, (one) => one.class)) row([name, ...scoreOf(all)])

console.log('\n## By language and class\n')
header(['language', 'class', ...SCORE, ...BARE])
for (const all of Map.groupBy(judged, (one) => `${one.language} ${one.class}`).values())
  row([all[0]?.language ?? '', all[0]?.class ?? '', ...scoreOf(all)])

console.log('\n## Cases that differ\n')
console.log(
  'Where only “digits” differ, the words around them are those of the twin, and the engine reads the digits as other phonemes than the ' +
    'words for them, or the twin counts otherwise: “twenty twenty-six”. In Arabic eSpeak NG reads digits with their short vowels, which it ' +
    'leaves out of words without vowel marks. In Nepali it has pronunciations of its own for the words of CLDR (common/rbnf/ne.xml). So ' +
    'the rules leave the digits of both languages.\n',
)
header([
  'language',
  'written',
  'spoken',
  'twin',
  'differs',
  'phonemes',
  'phonemes of the twin',
  'error rate',
  'lengths',
])
for (const one of judged.filter(({ ruled }) => ruled.errorRate > 0))
  row([
    one.language,
    one.written,
    one.spoken,
    one.twin,
    hasWordsOf(one) ? 'digits' : 'words',
    one.ruled.phonemes.join(' '),
    speakers.of(one.language).phonemesOf(one.twin, one.language).join(' '),
    percent(one.ruled.errorRate),
    one.ruled.lengthRatio.toFixed(2),
  ])
