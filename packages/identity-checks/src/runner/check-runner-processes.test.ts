/** In a file of its own, because both take long. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { specimen, useMedia } from '../../test/media.ts'
import { CHECK_NAMES } from '../check.ts'
import { createCheckRunner } from './check-runner.ts'
import type { JobTrouble } from './job-runner.ts'

const { folder, video, files } = useMedia()

/** Returns the ids of a process's check processes. */
function checkProcesses(parentId: number | undefined = process.pid): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(parentId)], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => line.includes('check-process'))
    .map((line) => Number.parseInt(line, 10))
}
const isAlive = (id: number) => spawnSync('ps', ['-p', String(id)]).status === 0

describe('processes of a runner', { tags: 'ffmpeg' }, () => {
  test('continues in another process if one crashes or is killed', async () => {
    const run = [
      'document_sides',
      'mrz_checks',
      'document_quality',
      'barcode',
      'document_template',
      'document_expiry',
      'printed_fields',
    ]
    const known = CHECK_NAMES.filter((name) => !run.includes(name))
    const small = path.join(folder, 'small.jpg')
    await sharp(specimen('person.jpg')).resize({ width: 320 }).toFile(small)
    for (const signal of ['SIGSEGV', 'SIGKILL'] as const) {
      const troubles: JobTrouble[] = []
      const onTrouble = (one: JobTrouble) => troubles.push(one)
      // Without templates, so that no print is looked for.
      await using runner = createCheckRunner({ places: 2, templates: [], onTrouble })
      const codes: string[] = []
      let isFirst = true
      await runner.run({
        owner: 'a',
        files: files(small),
        today: '2026-11-21',
        known,
        tell({ code }) {
          codes.push(code)
          if (isFirst) for (const id of checkProcesses()) process.kill(id, signal)
          isFirst = false
        },
      })
      expect(codes).toHaveLength(run.length)
      expect(codes).not.toContain('check_failed')
      expect(troubles.length).toBeLessThanOrEqual(1)
    }
  })

  test('serves one owner while all jobs of another are blocked', async () => {
    await using runner = createCheckRunner({ places: 2 })
    // A pipe without a writer blocks the jobs that open it.
    const pipe = path.join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const into = path.join(folder, 'never.jpg')
    const held = Array.from({ length: 5 }, () => runner.openImage({ owner: 'a', file: pipe, into }))
    const settled = held.map((one) =>
      one.then(
        () => 'taken',
        () => 'refused',
      ),
    )
    await expect(runner.probe(video, { owner: 'b' })).resolves.toMatchObject({ codec: 'avc' })
    for (const one of settled) {
      await writeFile(pipe, 'not a picture')
      expect(await one).toBe('refused')
    }
  })

  test('ends a video that keeps the parser busy, and serves another owner in the meantime', async () => {
    await using runner = createCheckRunner({ places: 2 })
    // The headers of a WebM file and of its segment, followed by zeros.
    const headers =
      '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878102428581021853806701ffffffffffffff'
    const zeros = path.join(folder, 'zeros.webm')
    await writeFile(zeros, Buffer.concat([Buffer.from(headers, 'hex'), Buffer.alloc(37_000_000)]))
    let ended = 0
    const slow = Array.from({ length: 3 }, () =>
      expect(runner.probe(zeros, { owner: 'a' }).finally(() => ended++)).rejects.toMatchObject({
        name: 'MediaError',
        code: 'decoding_timeout',
      }),
    )
    await expect(runner.probe(video, { owner: 'b' })).resolves.toMatchObject({ codec: 'avc' })
    expect(ended).toBeLessThan(3)
    await Promise.all(slow)
  })

  test('leaves no process behind when it is disposed of or its own process is killed', async () => {
    {
      await using runner = createCheckRunner({ places: 2 })
      await runner.probe(video)
      expect(checkProcesses()).toHaveLength(1)
    }
    expect(checkProcesses()).toEqual([])

    const pipe = path.join(folder, 'pipe-of-another')
    execFileSync('mkfifo', [pipe])
    const script = `
      import { createCheckRunner } from ${JSON.stringify(path.resolve(import.meta.dirname, 'check-runner.ts'))}
      const runner = createCheckRunner({ places: 2 })
      void runner.openImage({ owner: '', file: ${JSON.stringify(pipe)}, into: '' })`
    const other = spawn(process.execPath, ['--conditions=vaani-source', '--input-type=module', '-e', script])
    const child = await vi.waitUntil(() => checkProcesses(other.pid)[0], { timeout: 300_000 })
    other.kill('SIGKILL')
    await vi.waitUntil(() => !isAlive(child), { timeout: 300_000 })
  })

  test('ends running and waiting checks when it is disposed of', async () => {
    const runner = createCheckRunner({ places: 2 })
    const begun = Promise.withResolvers<void>()
    const run = (tell: () => void) =>
      runner.run({ owner: 'a', files: files(specimen('passport.jpg')), today: '2026-11-21', tell })
    const ends = Promise.allSettled([run(begun.resolve), run(() => undefined), run(() => undefined)])
    await begun.promise
    await runner[Symbol.asyncDispose]()
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  })
})
