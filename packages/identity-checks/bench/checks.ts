/**
 * `pnpm bench checks`: verifications per minute in one place, and the duration of each check, without engines and with faces of face-api. Needs
 * ffmpeg.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCheckRunner } from '../src/runner/check-runner.ts'

const ROUNDS = 8
const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-checks-'))
const moving = path.join(folder, 'video.mp4')
const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30:duration=5']
execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', moving])
const specimen = (name: string) => path.resolve(import.meta.dirname, '../specimens', name)
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

async function measure(face: 'face-api' | undefined, livenessVideo: string) {
  const files = {
    frontImage: specimen('card-front.jpg'),
    backImage: specimen('card-back.jpg'),
    livenessVideo,
    referencePortrait: null,
  }
  const msByCheck = new Map<string, number[]>()
  const totals: number[] = []
  let firstMs = 0
  await using runner = createCheckRunner({ places: 2, engines: { face } })
  // As the server does at its start.
  if (face !== undefined) await runner.prepare()
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
    else firstMs = performance.now() - startMs
  }
  return { msByCheck, firstMs, totalMs: median(totals) }
}

const plain = await measure(undefined, moving)
const faces = await measure('face-api', specimen('liveness.mp4'))
await rm(folder, { recursive: true, force: true })
console.table(
  [...plain.msByCheck.keys()].map((check) => ({
    check,
    'ms, median': Math.round(median(plain.msByCheck.get(check) ?? [])),
    'with faces': Math.round(median(faces.msByCheck.get(check) ?? [])),
  })),
)
for (const [name, { firstMs, totalMs }] of Object.entries({ 'without engines': plain, 'with faces': faces }))
  console.log(
    `${name}: ${Math.round(totalMs)} ms, ${Math.round(60_000 / totalMs)} per minute in one place; the first after the start ${Math.round(firstMs)} ms`,
  )
