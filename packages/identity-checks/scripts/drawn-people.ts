import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface Drawn {
  lines: string[]
  png: string
}
/** Yields documents of random people. Another process draws them, because a process that opens images blocks SVG. */
export async function* drawPeople(
  count: number,
  { seed, names = 'random' }: { seed: number; names?: 'random' | 'named' },
): AsyncGenerator<Drawn> {
  const script = path.join(import.meta.dirname, 'draw-people.ts')
  const child = spawn(process.execPath, ['--conditions=source', script, String(count), String(seed), names], {
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
