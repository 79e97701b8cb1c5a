import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

const types = await readFile(path.join(import.meta.dirname, 'types.ts'), 'utf8')

/** Returns the comment of a member, which an editor shows on hover. */
function hoverOf(name: string, member: string): string {
  const start = types.indexOf(`export interface ${name} {`)
  const end = types.search(new RegExp(`(?<=export interface ${name} \\{[^}]*)\\n  ${member}\\??:`))
  return types.slice(start, end).split('\n').at(-1)?.trim() ?? ''
}

test.each([
  [
    'StreamSpeechRequest',
    'input',
    '/** Text to speak. Markup in it is never obeyed; see `markup`. 1 to 4096 characters. */',
  ],
  [
    'StreamSpeechRequest',
    'voice',
    '/** `nova`, `atlas` or the id of a cloned voice. 1 to 64 characters. Default: `"nova"`. */',
  ],
  ['StreamSpeechRequest', 'speed', '/** Rate of speech. 0.5 to 2. Default: `1`. */'],
  ['PlaceCallRequest', 'language', '/** Language of the agent. Up to 35 characters. Default: `"ne-NP"`. */'],
])('the hover of %s.%s has the description, the limits and the default', (name, member, hover) => {
  expect(hoverOf(name, member)).toBe(hover)
})
