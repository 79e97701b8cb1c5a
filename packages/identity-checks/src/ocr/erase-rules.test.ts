import { expect, test } from 'vitest'
import { eraseRules } from './erase-rules.ts'

const [WIDTH, HEIGHT] = [1000, 800]
interface Stroke {
  x: number
  y: number
  width: number
  height: number
}
const draw = (strokes: readonly Stroke[]) => {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255)
  for (const { x, y, width, height } of strokes)
    for (let row = y; row < y + height; row++) data.fill(20, row * WIDTH + x, row * WIDTH + x + width)
  return { data, width: WIDTH, height: HEIGHT }
}
const inkOf = (strokes: readonly Stroke[], languages = ['eng']): number =>
  eraseRules(draw(strokes), languages).data.filter((pixel) => pixel < 128).length
const areaOf = (strokes: readonly Stroke[]): number =>
  strokes.reduce((sum, { width, height }) => sum + width * height, 0)

/** Stems of letters, every 10 pixels, 3 wide. */
const stems = (x: number, y: number, count: number): Stroke[] =>
  Array.from({ length: count }, (_, index) => ({ x: x + index * 10, y, width: 3, height: 24 }))

test('rules are erased, and letters between them stay', () => {
  const rules = [100, 160, 220].map((y) => ({ x: 50, y, width: 900, height: 3 }))
  const frame = [50, 500, 947].map((x) => ({ x, y: 100, width: 3, height: 123 }))
  const letters = [...stems(80, 120, 20), ...stems(600, 180, 10)]
  // Only where rules meet, a few pixels are left.
  expect(inkOf([...rules, ...frame, ...letters]) - areaOf(letters)).toBeLessThan(100)
})

test.each<[string, Stroke[]]>([
  ['stems and dashes', [...stems(100, 100, 40), { x: 600, y: 110, width: 36, height: 3 }]],
  ['a line from which letters hang', [{ x: 100, y: 100, width: 400, height: 4 }, ...stems(100, 104, 40)]],
  ['a large letter', [{ x: 100, y: 100, width: 14, height: 300 }]],
  ['a bar', [{ x: 100, y: 100, width: 600, height: 40 }]],
])('%s stay', (_, strokes) => {
  const { data } = draw(strokes)
  expect(eraseRules({ data, width: WIDTH, height: HEIGHT }, ['eng']).data).toEqual(data)
})

test('the thin line of a word of Devanagari stays, and rules of its page are erased', () => {
  const rule = { x: 50, y: 300, width: 900, height: 3 }
  const hanging = Array.from({ length: 4 }, (_, index) => ({
    x: 100 + index * 30,
    y: 102,
    width: 2,
    height: 24,
  }))
  const word = [{ x: 100, y: 100, width: 120, height: 2 }, ...hanging]
  expect(inkOf([rule, ...word], ['nep', 'eng'])).toBe(areaOf(word))
})
