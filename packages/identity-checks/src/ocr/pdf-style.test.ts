import { expect, test } from 'vitest'
import { openPdf } from './pdf.ts'

const FONTS = { R: 'Helvetica', B: 'Helvetica-Bold' }
/** Sizes are in points. Matrices scale, and the last line is filled and stroked. */
const CONTENT = `BT /R 12 Tf 1 0 0 1 72 700 Tm (Regular) Tj ET
BT /B 18 Tf 1 0 0 1 72 650 Tm (Heavy) Tj ET
BT /R 1 Tf 24 0 0 24 72 600 Tm (Scaled) Tj ET
q 2 0 0 2 0 0 cm BT /R 12 Tf 36 250 Td (Doubled) Tj ET Q
BT /R 12 Tf 2 Tr 1 0 0 1 72 400 Tm (Stroked) Tj ET`

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<<${Object.entries(
  FONTS,
)
  .map(([name, font]) => `/${name}<</Type/Font/Subtype/Type1/BaseFont/${font}>>`)
  .join('')}>>>>>>endobj
4 0 obj<</Length ${CONTENT.length}>>stream
${CONTENT}
endstream endobj
trailer<</Root 1 0 R>>
`

test('reads the size and the weight of the print of a text layer', async () => {
  using pdf = await openPdf(Buffer.from(PDF))
  using page = pdf.openPage(0)
  const layer = page.readTextLayer({ ofScans: true })
  const words = layer?.blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words)) ?? []
  expect(
    words.map((word) => {
      const style = layer?.styleOf(word)
      return [word.text, style && Math.round((style.size * 72) / 300), style?.isBold]
    }),
  ).toEqual([
    ['Regular', 12, false],
    ['Heavy', 18, true],
    ['Scaled', 24, false],
    ['Doubled', 24, false],
    ['Stroked', 12, true],
  ])
})
