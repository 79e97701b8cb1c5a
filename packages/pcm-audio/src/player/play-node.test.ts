import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { play, PlayError } from './play-node.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-play-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Installs a script under this name as the only program on the PATH. */
async function install(name: string, script: string): Promise<Record<string, string>> {
  await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { PATH: folder, FOLDER: folder }
}
async function* chunks(count: number): AsyncGenerator<Int16Array> {
  for (let index = 0; index < count; index++) yield new Int16Array(16_000).fill(index)
}

test.each(['aplay', 'play', 'ffplay'])('%s gets all samples and their rate', async (name) => {
  const environment = await install(name, 'echo "$@" > "$FOLDER/options"; /bin/cat > "$FOLDER/heard"')
  await play(chunks(20), { sampleRateHz: 16_000, environment })
  const heard = await readFile(path.join(folder, 'heard'))
  expect(heard).toHaveLength(20 * 32_000)
  expect(heard.readInt16LE(19 * 32_000)).toBe(19)
  expect(await readFile(path.join(folder, 'options'), 'utf8')).toContain('16000')
})

test.each([
  ['aplay', '--channels=2'],
  ['play', '-c 2'],
  ['ffplay', '-ch_layout stereo'],
])('%s gets two channels as %s', async (name, option) => {
  const environment = await install(name, 'echo "$@" > "$FOLDER/options"; /bin/cat > /dev/null')
  await play(chunks(1), { sampleRateHz: 16_000, channels: 2, environment })
  expect(await readFile(path.join(folder, 'options'), 'utf8')).toContain(option)
})

test('rejects if no player is installed, or if the player fails', async () => {
  await expect(play(chunks(1), { sampleRateHz: 8000, environment: { PATH: folder } })).rejects.toThrow(
    expect.objectContaining({ name: 'PlayError', code: 'no_player' }),
  )
  const environment = await install('aplay', 'exit 3')
  await expect(play(chunks(1000), { sampleRateHz: 8000, environment })).rejects.toThrow(PlayError)
})

test('stops at once on an abort, and closes the stream', async () => {
  const environment = await install('aplay', 'exec /bin/sleep 60')
  const abort = new AbortController()
  let isClosed = false
  async function* endless(): AsyncGenerator<Int16Array> {
    try {
      for (;;) {
        yield new Int16Array(16_000)
        await new Promise((resolve) => setImmediate(resolve))
        if (!abort.signal.aborted) setImmediate(() => abort.abort(new Error('enough')))
      }
    } finally {
      isClosed = true
    }
  }
  await expect(play(endless(), { sampleRateHz: 8000, environment, signal: abort.signal })).rejects.toThrow(
    'enough',
  )
  expect(isClosed).toBe(true)
})
