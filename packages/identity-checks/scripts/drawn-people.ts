import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

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
  const script = path.join(import.meta.dirname, 'draw-people.ts')
  const parameters = [script, String(count), String(seed), names, formats]
  const child = spawn(process.execPath, ['--conditions=source', ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  let text = ''
  for await (const data of child.stdout) {
    text += String(data)
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      yield JSON.parse(text.slice(0, end)) as Drawn
      text = text.slice(end + 1)
    }
  }
  await exit
}
