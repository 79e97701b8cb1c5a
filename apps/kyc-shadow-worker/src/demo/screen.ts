/** What a person sees of the demo. */
export interface Screen {
  /** Begins a part of the story. */
  title(text: string): void
  /** Something that happened, with the time since the start. */
  say(text: string): void
  /** An explanation of what was said before. */
  note(text: string): void
}

const INDENT = 7
const WIDTH = 100

export function createScreen(write: (text: string) => void, nowMs: () => number): Screen {
  const startMs = nowMs()
  let parts = 0
  const print = (before: string, text: string): void => {
    for (const [index, line] of wrap(text, WIDTH - INDENT).entries())
      write(`${(index === 0 ? before : '').padEnd(INDENT)}${line}\n`)
  }
  return {
    title(text) {
      parts += 1
      write(`\n${parts}. ${text}\n`)
    },
    say(text) {
      const seconds = Math.floor((nowMs() - startMs) / 1000)
      print(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`, text)
    },
    note: (text) => print('', text),
  }
}

/** Breaks a text at spaces into lines of at most `width` characters, unless a word is longer. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
