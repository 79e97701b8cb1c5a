/**
 * `pnpm bench levels`: streams articles of the Universal Declaration of Human Rights, official translations in every language of eSpeak NG,
 * which the tables of the engine were not measured on. Loudness (BS.1770, neutral speech, mean of three articles in five voices, and the
 * quietest and the loudest of them), the highest true peak, the most direct current in steps of 16 bits, and how far each speed is from what
 * was asked for, mean and worst of three articles.
 */
import { measureLoudness, measureTruePeak } from '@vaani/pcm-audio'
import { streamSpeech } from '@vaani/speech'
import { createEngine } from '../src/index.ts'
import { LANGUAGES, VOICES } from '../src/languages.ts'
import { articlesOf } from '../src/test/declaration.ts'

const SAMPLE_RATE_HZ = 16_000
const SPEEDS = [0.5, 0.75, 1.25, 1.5, 2] as const
const ARTICLES = 3

const engine = createEngine()

async function stream(
  text: string,
  { language, voice, speed = 1 }: Record<'language' | 'voice', string> & { speed?: number },
) {
  const frames = await Array.fromAsync(
    streamSpeech({ engine, text, language, voice, emotion: 'neutral', speed }),
  )
  return Int16Array.from(frames.flatMap((frame) => [...frame]))
}

async function levelsOf(language: string, articles: readonly string[]) {
  const measured = []
  for (const voice of Object.keys(VOICES))
    for (const article of articles) {
      const samples = await stream(article, { language, voice })
      measured.push({
        lufs: measureLoudness(samples, { sampleRateHz: SAMPLE_RATE_HZ, channels: 1 }).integratedLufs,
        peak: measureTruePeak(samples, { channels: 1 }),
        direct: Math.abs(samples.reduce((sum, sample) => sum + sample, 0) / samples.length),
      })
    }
  const lufs = measured.map((one) => one.lufs)
  return [
    mean(lufs).toFixed(1),
    Math.min(...lufs).toFixed(1),
    Math.max(...lufs).toFixed(1),
    Math.max(...measured.map(({ peak }) => peak)).toFixed(1),
    Math.max(...measured.map(({ direct }) => direct)).toFixed(1),
  ]
}

async function speedsOf(language: string, articles: readonly string[]) {
  const voice = 'nova'
  const cells = []
  const plain = await Promise.all(articles.map((article) => stream(article, { language, voice })))
  for (const speed of SPEEDS) {
    const paced = await Promise.all(articles.map((article) => stream(article, { language, voice, speed })))
    const errors = paced.map(({ length }, index) =>
      Math.abs((plain[index]?.length ?? 0) / length / speed - 1),
    )
    cells.push(`${percent(mean(errors))} (${percent(Math.max(...errors))})`)
  }
  return cells
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const row = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`)

const head = ['language', 'LUFS', 'quietest', 'loudest', 'true peak, dBTP', 'direct current']
const columns = [...head, ...SPEEDS.map((speed) => `off at ${speed}`)]
row(columns)
row(columns.map(() => '---'))
for (const { tag } of LANGUAGES) {
  const articles = articlesOf(tag).even.slice(0, ARTICLES)
  row([tag, ...(await levelsOf(tag, articles)), ...(await speedsOf(tag, articles))])
}
await engine.close()
