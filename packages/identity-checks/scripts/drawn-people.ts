import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Citizen } from './draw-citizenship.ts'

export interface Drawn {
  format: string
  /** Where the machine-readable zone begins, as a share of the height. */
  zoneTop: number
  lines: string[]
  png: string
}
/** Yields documents of random people: passports and cards by turns, or `all` formats. Another process draws them, because a process that opens images blocks SVG. */
export async function* drawPeople(
  count: number,
  {
    seed,
    names = 'random',
    formats = 'two',
  }: { seed: number; names?: 'random' | 'named'; formats?: 'two' | 'all' },
): AsyncGenerator<Drawn> {
  yield* linesOf<Drawn>('draw-people.ts', [count, seed, names, formats])
}

export interface DrawnCard {
  person: Citizen
  /** The front and the back. */
  pngs: string[]
}
/** Yields both sides of citizenship cards of random people. */
export const drawCards = (count: number, { seed }: { seed: number }): AsyncGenerator<DrawnCard> =>
  linesOf<DrawnCard>('draw-cards.ts', [count, seed])

async function* linesOf<Line>(
  script: string,
  parameters: readonly (string | number)[],
): AsyncGenerator<Line> {
  const child = spawn(
    process.execPath,
    ['--conditions=vaani-source', path.join(import.meta.dirname, script), ...parameters.map(String)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exit = once(child, 'exit')
  let text = ''
  for await (const data of child.stdout) {
    text += String(data)
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      yield JSON.parse(text.slice(0, end)) as Line
      text = text.slice(end + 1)
    }
  }
  await exit
}
