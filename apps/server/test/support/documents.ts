import sharp from 'sharp'

/** Draws text on a white page, as a PNG. */
export const drawPage = (lines: readonly string[]): Promise<Buffer> =>
  drawText(
    lines.map((text, index) => ({ text, x: 60, y: 90 + index * 60 })),
    { height: 100 + lines.length * 60 },
  )

/** A text, and where its first letter stands, from the top left of its page. */
export interface PlacedText {
  text: string
  x: number
  y: number
  /** Of the font: 32 pixels in a picture, or 12 points in a PDF, if it is missing. */
  size?: number
}

/** Draws texts at their places on a white page, as a PNG. `rules` are the heights of lines across it. */
export function drawText(
  placed: readonly PlacedText[],
  { width = 1000, height, rules = [] }: { width?: number; height: number; rules?: readonly number[] },
): Promise<Buffer> {
  // Blocked by the checks of identity, which run in the same process here.
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] })
  const texts = placed.map(
    ({ text, x, y, size = 32 }) => `<text x="${x}" y="${y}" font-size="${size}">${text}</text>`,
  )
  const lines = rules.map((y) => `<rect x="20" y="${y}" width="${width - 40}" height="3"/>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
    font-family="DejaVu Serif"><rect width="100%" height="100%" fill="white"/>${[...texts, ...lines].join('')}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

type PdfPage =
  | { text: string; isMiscoded?: boolean }
  | { texts: readonly PlacedText[] }
  | { jpeg: Buffer; width: number; height: number }

/** Sizes in points of a page with texts, and of one with a line, which is small because its whole picture is searched. */
const TEXT_PAGE = { width: 600, height: 400 }
const LINE_PAGE = { width: 400, height: 120 }
const writeTexts = (texts: readonly PlacedText[]): string =>
  texts
    .map(({ text, x, y, size = 12 }) => `BT /F1 ${size} Tf ${x} ${TEXT_PAGE.height - y} Td (${text}) Tj ET`)
    .join('\n')

/** Gives each letter the code of the next one, as fonts do that were made for another encoding. */
const NEXT_LETTERS =
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Next def /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7D> <0021> endbfrange endcmap end end'

/** Writes a PDF whose pages have a text layer, which may say other than what is seen, or a picture. */
export function makePdf(pages: readonly PdfPage[], trailer = ''): Buffer {
  const objects: Buffer[] = []
  const add = (head: string, stream?: Buffer): number => {
    const content = stream
      ? [`<< ${head} /Length ${stream.length} >>\nstream\n`, stream, '\nendstream']
      : [`<< ${head} >>`]
    const number = objects.length + 1
    objects.push(
      Buffer.concat([`${number} 0 obj\n`, ...content, '\nendobj\n'].map((piece) => Buffer.from(piece))),
    )
    return number
  }
  add('/Type /Catalog /Pages 2 0 R')
  const kids = pages.map((_, index) => `${4 + index * 3} 0 R`).join(' ')
  add(`/Type /Pages /Count ${pages.length} /Kids [${kids}]`)
  add('/Type /Font /Subtype /Type1 /BaseFont /Helvetica')
  for (const page of pages) {
    const next = objects.length + 2
    const size = 'jpeg' in page ? page : 'text' in page ? LINE_PAGE : TEXT_PAGE
    add(
      `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${size.width} ${size.height}] /Contents ${next} 0 R
       /Resources << /Font << /F1 3 0 R /F2 ${4 + pages.length * 3} 0 R >> /XObject << /Im1 ${next + 1} 0 R >> >>`,
    )
    if ('texts' in page) {
      add('', Buffer.from(writeTexts(page.texts)))
      add('/Type /Nothing')
    } else if ('text' in page) {
      add('', Buffer.from(`BT /F${page.isMiscoded ? 2 : 1} 20 Tf 50 20 Td (${page.text}) Tj ET`))
      add('/Type /Nothing')
    } else {
      add('', Buffer.from(`q ${page.width} 0 0 ${page.height} 0 0 cm /Im1 Do Q`))
      add(
        `/Type /XObject /Subtype /Image /Width ${page.width} /Height ${page.height} /ColorSpace /DeviceRGB
         /BitsPerComponent 8 /Filter /DCTDecode`,
        page.jpeg,
      )
    }
  }
  add(`/Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${objects.length + 2} 0 R`)
  add('', Buffer.from(NEXT_LETTERS))
  let at = 9
  const offsets = objects.map(({ length }) => {
    const offset = at
    at += length
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...objects, Buffer.from(table + end)])
}

/** The dictionary of a PDF that is encrypted with a password. */
export const ENCRYPTED = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<41414141414141414141414141414141> <41414141414141414141414141414141>]`
