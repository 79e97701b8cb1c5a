/**
 * `pnpm bench ocr`: character error rates on drawn pages in three scripts, and pages per minute of a processor, beside bare
 * tesseract.js with the same language data. Pages are drawn with DejaVu Serif and Noto Sans Devanagari, so real scans will
 * have other rates. Turned pages show what bare tesseract.js does not attempt. Time is that of the processor, in one process.
 *
 * `pnpm bench ocr 3` draws three pages of each kind, instead of one.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { createWorker, OEM } from 'tesseract.js'
import { createRandom } from '../scripts/random.ts'
import { findLanguageData } from '../src/ocr/languages.ts'
import { textOf } from '../src/ocr/layout.ts'
import { readPage } from '../src/ocr/read-page.ts'

const [pagesOfEach = 1] = process.argv.slice(2).map(Number)

const folder = await mkdtemp(path.join(tmpdir(), 'vaani-ocr-'))
const require = createRequire(import.meta.url)
const devanagari = path.dirname(require.resolve('@expo-google-fonts/noto-sans-devanagari/package.json'))
process.env['FONTCONFIG_FILE'] = path.join(folder, 'fonts.conf')
await writeFile(
  process.env['FONTCONFIG_FILE'],
  `<fontconfig><dir>/usr/share/fonts</dir><dir>${devanagari}</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
)
sharp.unblock({ operation: ['VipsForeignLoadSvg'] })

const WORDS: Readonly<Record<string, string>> = {
  eng: 'Please bring the letter from the clinic on Thursday morning because your appointment was moved and the doctor will see you at half past nine with 1,250 rupees for the report of 20 November',
  nep: 'कृपया बिहीबार बिहान चिकित्सकको पत्र लिएर आउनुहोस् किनभने तपाईंको भेट्ने समय सारिएको छ र डाक्टरले साढे नौ बजे हेर्नुहुनेछ नेपाल सरकार काठमाडौं महानगरपालिका नागरिकता प्रमाणपत्र',
  hin: 'कृपया गुरुवार की सुबह अस्पताल का पत्र लेकर आइए क्योंकि आपकी मुलाकात का समय बदल दिया गया है और डॉक्टर आपको साढ़े नौ बजे देखेंगे भारत सरकार नई दिल्ली आधार कार्ड संख्या',
}

interface Kind {
  pixels: number
  spoil?: (page: Sharp, random: () => number) => Sharp
}
const white = { background: '#ffffff' }
const noise = (sigma: number): Sharp =>
  sharp({
    create: {
      width: WIDTH,
      height: HEIGHT,
      channels: 3,
      background: '#fff',
      noise: { type: 'gaussian', mean: 128, sigma },
    },
  })
const WIDTH = 1200
const HEIGHT = 520
const KINDS: Readonly<Record<string, Kind>> = {
  '40 pixels': { pixels: 40 },
  '24 pixels': { pixels: 24 },
  '16 pixels': { pixels: 16 },
  noise: { pixels: 40 },
  'blur of 1.5 pixels': { pixels: 40, spoil: (page) => page.blur(1.5) },
  'JPEG of quality 20': { pixels: 40, spoil: (page) => page.jpeg({ quality: 20 }) },
  'tilted by 4 degrees': { pixels: 40, spoil: (page) => page.rotate(4, white) },
  'turned by 90 degrees': { pixels: 40, spoil: (page) => page.rotate(90) },
  'upside down': { pixels: 40, spoil: (page) => page.rotate(180) },
}

/** Draws words at random, and returns them with their picture. */
async function draw(code: string, { pixels, spoil = (page) => page }: Kind, seed: number, noisy: boolean) {
  const random = createRandom(seed)
  const words = (WORDS[code] ?? '').split(' ')
  const lines: string[] = []
  for (let y = 100; y < HEIGHT - 60; y += pixels * 1.8) {
    let line = ''
    while (line.length * pixels * 0.58 < WIDTH - 320) line += `${words[Math.floor(random() * words.length)]} `
    lines.push(line.trim())
  }
  const texts = lines.map((line, index) => `<text x="80" y="${100 + index * pixels * 1.8}">${line}</text>`)
  const family = code === 'eng' ? 'DejaVu Serif' : 'Noto Sans Devanagari'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="${family}" font-size="${pixels}"><rect width="100%" height="100%" fill="white"/>${texts.join('')}</svg>`
  const page = await sharp(Buffer.from(svg)).png().toBuffer()
  const grain = noisy
    ? await sharp(page)
        .composite([{ input: await noise(50).png().toBuffer(), blend: 'soft-light' }])
        .png()
        .toBuffer()
    : page
  return { text: lines.join(' '), picture: await spoil(sharp(grain), random).toBuffer() }
}

/** Edits per character between two texts, ignoring how they are broken into lines. */
function errorRate(expected: string, actual: string): number {
  const [a, b] = [expected, actual].map((text) => [...text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()])
  if (a === undefined || b === undefined) return 1
  let row = b.map((_, index) => index + 1)
  row.unshift(0)
  for (const [i, letter] of a.entries()) {
    const next = [i + 1]
    for (const [j, other] of b.entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      )
    row = next
  }
  return Math.min(1, (row.at(-1) ?? 0) / a.length)
}

const processorMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000
async function timed<T>(run: () => Promise<T>): Promise<[T, number]> {
  const start = processorMs()
  return [await run(), processorMs() - start]
}

const file = path.join(folder, 'page')
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const percent = (rate: number) => `${(rate * 100).toFixed(1)} %`
const times = { ours: [0].slice(1), bare: [0].slice(1) }
let rows = 0
console.log('| language | page | error rate | bare tesseract.js |\n| --- | --- | --- | --- |')
for (const code of Object.keys(WORDS)) {
  const bare = await createWorker(code, OEM.LSTM_ONLY, {
    langPath: findLanguageData(code) ?? '',
    gzip: true,
    cacheMethod: 'none',
  })
  const read = async () => {
    const { blocks } = await readPage({ file, page: 0, languages: [code] })
    return textOf(blocks)
  }
  for (const [kind, how] of Object.entries(KINDS)) {
    const errors = { ours: [0].slice(1), bare: [0].slice(1) }
    for (let index = 0; index < pagesOfEach; index++) {
      const { text, picture } = await draw(code, how, index + 1, kind === 'noise')
      await writeFile(file, picture)
      // The first page loads the language.
      if (rows % Object.keys(KINDS).length === 0 && index === 0)
        await Promise.all([read(), bare.recognize(picture)])
      const [ours, oursMs] = await timed(read)
      const [{ data }, bareMs] = await timed(() => bare.recognize(picture))
      errors.ours.push(errorRate(text, ours))
      errors.bare.push(errorRate(text, data.text))
      // Pages that bare tesseract.js cannot read take it another time.
      if (how.spoil === undefined) {
        times.ours.push(oursMs)
        times.bare.push(bareMs)
      }
    }
    rows++
    console.log(`| ${code} | ${kind} | ${percent(mean(errors.ours))} | ${percent(mean(errors.bare))} |`)
  }
  await bare.terminate()
}
await rm(folder, { recursive: true })

const perMinute = (values: readonly number[]) => 60_000 / mean(values)
console.log(`
Upright pages a minute of one processor: ${perMinute(times.ours).toFixed(1)}, and ${perMinute(times.bare).toFixed(1)} with bare tesseract.js, a ratio of ${(perMinute(times.ours) / perMinute(times.bare)).toFixed(2)}.`)
process.exit()
