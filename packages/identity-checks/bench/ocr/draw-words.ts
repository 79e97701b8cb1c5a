/** Pages of random words in several scripts, and what spoils them. */
import sharp, { type Sharp } from 'sharp'
import { createRandom } from '../../scripts/random.ts'

/** Words by the code of their language. */
export const WORDS: Readonly<Record<string, string>> = {
  eng: 'Please bring the letter from the clinic on Thursday morning because your appointment was moved and the doctor will see you at half past nine with 1,250 rupees for the report of 20 November',
  nep: 'कृपया बिहीबार बिहान चिकित्सकको पत्र लिएर आउनुहोस् किनभने तपाईंको भेट्ने समय सारिएको छ र डाक्टरले साढे नौ बजे हेर्नुहुनेछ नेपाल सरकार काठमाडौं महानगरपालिका नागरिकता प्रमाणपत्र',
  hin: 'कृपया गुरुवार की सुबह अस्पताल का पत्र लेकर आइए क्योंकि आपकी मुलाकात का समय बदल दिया गया है और डॉक्टर आपको साढ़े नौ बजे देखेंगे भारत सरकार नई दिल्ली आधार कार्ड संख्या',
}

/** Headings of two addresses, by the code of their language. */
export const PARTIES: Readonly<Record<string, readonly [string, string]>> = {
  eng: ['Bill to', 'Ship to'],
  nep: ['बिक्रेता:', 'ग्राहक:'],
  hin: ['विक्रेता:', 'ग्राहक:'],
}

/** Words of languages that are not installed, by the names of their scripts, from the Universal Declaration of Human Rights. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  Arabic:
    'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء',
  Cyrillic:
    'Все люди рождаются свободными и равными в своем достоинстве и правах Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства',
  Greek:
    'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα Είναι προικισμένοι με λογική και συνείδηση και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης',
  Hebrew:
    'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם כולם חוננו בתבונה ובמצפון לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה',
}

/** Pages of few lines: the language that is asked for, the script of the page, and by what its words are known. */
export const SHORT_PAGES: readonly { asked: string; script: string; words: string }[] = [
  { asked: 'eng', script: 'Latin', words: 'eng' },
  { asked: 'nep', script: 'Latin', words: 'eng' },
  { asked: 'nep', script: 'Devanagari', words: 'nep' },
  { asked: 'eng', script: 'Devanagari', words: 'nep' },
  ...Object.keys(OTHER_WORDS).flatMap((script) =>
    ['eng', 'nep'].map((asked) => ({ asked, script, words: script })),
  ),
]

interface Kind {
  pixels: number
  /** As many as there is room for, by default. */
  lines?: number
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
export const KINDS: Readonly<Record<string, Kind>> = {
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

export const familyOf = (code: string): string => {
  if (code === 'eng') return 'DejaVu Serif'
  return code in WORDS ? 'Noto Sans Devanagari' : 'DejaVu Sans'
}

/** Draws words of a language or script at random, and returns them with their picture. */
export async function drawWords(
  code: string,
  { pixels, lines: most = Infinity, spoil = (page) => page }: Kind,
  seed: number,
  noisy: boolean,
): Promise<{ text: string; picture: Buffer }> {
  const random = createRandom(seed)
  const words = (WORDS[code] ?? OTHER_WORDS[code] ?? '').split(' ')
  const lines: string[] = []
  for (let y = 100; y < HEIGHT - 60 && lines.length < most; y += pixels * 1.8) {
    let line = ''
    while (line.length * pixels * 0.58 < WIDTH - 320) line += `${words[Math.floor(random() * words.length)]} `
    lines.push(line.trim())
  }
  const texts = lines.map((line, index) => `<text x="80" y="${100 + index * pixels * 1.8}">${line}</text>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="${familyOf(code)}" font-size="${pixels}"><rect width="100%" height="100%" fill="white"/>${texts.join('')}</svg>`
  const page = await sharp(Buffer.from(svg)).png().toBuffer()
  const grain = noisy
    ? await sharp(page)
        .composite([{ input: await noise(50).png().toBuffer(), blend: 'soft-light' }])
        .png()
        .toBuffer()
    : page
  return { text: lines.join(' '), picture: await spoil(sharp(grain), random).toBuffer() }
}
