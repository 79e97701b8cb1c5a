import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'

/** Where it is not, tests of videos are skipped. */
export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

/** The file of a specimen document. */
export const specimenFile = (name: string): string =>
  path.resolve(import.meta.dirname, '../../../../packages/identity-checks/specimens', name)

/** Makes a video of 4 s in a folder. */
export function makeVideo(folder: string): string {
  const file = path.join(folder, 'video.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=15:duration=4']
  execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', file])
  return file
}
