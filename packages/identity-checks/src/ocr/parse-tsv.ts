import { type TextBlock, type TextLine, type TextWord, toBlock, toLine } from './layout.ts'

/** Level of a word's row; rows of pages, blocks, paragraphs and lines have lower ones. */
const WORD = '5'

/**
 * Parses the TSV output of tesseract, which is in reading order. It is much smaller than its JSON, which has every symbol
 * with its alternatives.
 *
 * @param scale pixels of the page per pixel that was read
 */
export function parseTsv(tsv: string, scale = 1): TextBlock[] {
  const blocks = new Map<string, Map<string, TextWord[]>>()
  for (const row of tsv.split('\n')) {
    const [level, , block = '', paragraph, line, , x, y, width, height, confidence, text = ''] =
      row.split('\t')
    if (level !== WORD || text.trim() === '') continue
    const lines = blocks.get(block) ?? new Map<string, TextWord[]>()
    blocks.set(block, lines)
    const key = `${paragraph}.${line}`
    const words = lines.get(key) ?? []
    lines.set(key, words)
    words.push({
      text: text.trim(),
      confidence: Math.round(Math.min(100, Math.max(0, Number(confidence))) * 10) / 1000,
      box: {
        x: Math.round(Number(x) * scale),
        y: Math.round(Number(y) * scale),
        width: Math.round(Number(width) * scale),
        height: Math.round(Number(height) * scale),
      },
    })
  }
  return Array.from(blocks.values(), (lines) =>
    toBlock(Array.from(lines.values(), (words): TextLine => toLine(words))),
  )
}
