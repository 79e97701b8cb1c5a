import type { UploadProgress } from '@vaani/client'
import type { OutputStream } from '../cli-environment.ts'

const WIDTH = 30
const ERASE_LINE = '\r\u001B[K'

export interface ProgressBar extends Disposable {
  show(progress: UploadProgress): void
}

/** Creates a bar on a terminal, which disappears when it is disposed of. Without a terminal it draws nothing. */
export function createProgressBar(stream: OutputStream, options: { isShown: boolean }): ProgressBar {
  const isShown = options.isShown && stream.isTTY === true
  let shown = ''
  const draw = (text: string): void => {
    if (!isShown || text === shown) return
    shown = text
    stream.write(ERASE_LINE + text)
  }
  return {
    show: ({ sentBytes, totalBytes }) => draw(progressText(sentBytes, totalBytes)),
    [Symbol.dispose]: () => draw(''),
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function progressText(sentBytes: number, totalBytes: number | null): string {
  if (totalBytes === null) return megabytes(sentBytes)
  const share = totalBytes === 0 ? 1 : sentBytes / totalBytes
  const bar = '#'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '.')
  const percent = `${Math.floor(share * 100)}`.padStart(3)
  return `[${bar}] ${percent} % of ${megabytes(totalBytes)}`
}
