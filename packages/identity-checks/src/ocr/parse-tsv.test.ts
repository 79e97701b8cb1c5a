import { expect, test } from 'vitest'
import { textOf } from './layout.ts'
import { parseTsv } from './parse-tsv.ts'

const TSV = [
  '1\t1\t0\t0\t0\t0\t0\t0\t500\t300\t-1\t',
  '2\t1\t1\t0\t0\t0\t10\t20\t200\t80\t-1\t',
  '5\t1\t1\t1\t1\t1\t10\t20\t40\t12\t96.4\tTwo',
  '5\t1\t1\t1\t1\t2\t60\t22\t50\t12\t90\twords',
  '5\t1\t1\t1\t2\t1\t10\t40\t50\t12\t80\tbelow',
  '5\t1\t2\t1\t1\t1\t300\t20\t50\t12\t-1\taside',
  '5\t1\t3\t1\t1\t1\t0\t0\t500\t300\t95\t ',
].join('\n')

test('makes blocks and lines of words, and scales their boxes', () => {
  const blocks = parseTsv(TSV, 2)
  expect(textOf(blocks)).toBe('Two words\nbelow\n\naside')
  expect(blocks[0]?.box).toEqual({ x: 20, y: 40, width: 200, height: 64 })
  expect(blocks[0]?.lines[0]).toMatchObject({
    box: { x: 20, y: 40, width: 200, height: 28 },
    confidence: 0.924,
    words: [{ text: 'Two', confidence: 0.964 }, { text: 'words' }],
  })
  expect(blocks[1]?.confidence).toBe(0)
  expect(parseTsv('')).toEqual([])
})
