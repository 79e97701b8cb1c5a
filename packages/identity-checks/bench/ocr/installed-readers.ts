/** Programs that a user would run instead, if they are installed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The text of a picture, and the seconds of the processor that it took. */
export interface InstalledReading {
  readonly text: string
  readonly seconds: number
}
export interface InstalledReader {
  readonly name: string
  read(file: string): InstalledReading
}

/** Runs a program, and measures its processor time and that of its children. */
function run(program: string, words: readonly string[]): { stdout: string; seconds: number } {
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'bash', program, ...words],
    { encoding: 'utf8', env: { ...process.env, OMP_THREAD_LIMIT: '1' } },
  )
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return { stdout, seconds: user + system }
}

const ocrmypdf: InstalledReader = {
  name: 'ocrmypdf',
  read(file) {
    const folder = mkdtempSync(path.join(tmpdir(), 'vaani-ocrmypdf-'))
    try {
      const text = path.join(folder, 'text')
      const options = [
        '--image-dpi',
        '200',
        '--rotate-pages',
        '--deskew',
        '--jobs',
        '1',
        '--output-type',
        'none',
      ]
      const { seconds } = run('ocrmypdf', [...options, '--sidecar', text, file, '-'])
      return { text: readFileSync(text, 'utf8'), seconds }
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}
const tesseract: InstalledReader = {
  name: 'tesseract',
  read(file) {
    const { stdout, seconds } = run('tesseract', [file, '-'])
    return { text: stdout, seconds }
  },
}

/** Returns those that are installed. */
export const findInstalledReaders = (): InstalledReader[] =>
  [tesseract, ocrmypdf].filter(({ name }) => spawnSync(name, ['--version']).status === 0)
