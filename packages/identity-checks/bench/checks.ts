/** `pnpm bench checks`: verifications per minute in one place, and the duration of each check. Needs ffmpeg. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCheckRunner } from '../src/runner/check-runner.ts'

const ROUNDS = 8
const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-checks-'))
const video = path.join(folder, 'video.mp4')
const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30:duration=5']
execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', video])
const specimen = (name: string) => path.resolve(import.meta.dirname, '../specimens', name)
const files = {
  frontImage: specimen('card-front.jpg'),
  backImage: specimen('card-back.jpg'),
  livenessVideo: video,
  referencePortrait: null,
}
const msByCheck = new Map<string, number[]>()
const totals: number[] = []
{
  await using runner = createCheckRunner({ places: 2 })
  for (let round = 0; round <= ROUNDS; round++) {
    const startMs = performance.now()
    let lastMs = startMs
    await runner.run({
      owner: 'bench',
      files,
      today: '2026-11-21',
      tell({ check }) {
        const nowMs = performance.now()
        // The first round warms up.
        if (round > 0) msByCheck.set(check, [...(msByCheck.get(check) ?? []), nowMs - lastMs])
        lastMs = nowMs
      },
    })
    if (round > 0) totals.push(performance.now() - startMs)
  }
}
await rm(folder, { recursive: true, force: true })
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
console.table([...msByCheck].map(([check, all]) => ({ check, 'ms, median': Math.round(median(all)) })))
console.log(
  `one verification: ${Math.round(median(totals))} ms, ${Math.round(60_000 / median(totals))} per minute in one place`,
)
