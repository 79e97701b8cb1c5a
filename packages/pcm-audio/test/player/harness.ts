/** Runs in the page, plays with the player and measures its output. */
import { interleave } from '../../src/convert/interleave.ts'
import { createPlayer, type Player, type PlayerOptions } from '../../src/player/player.ts'

const RATE_HZ = 16_000

/** Records the output of a node. */
async function tap(node: AudioNode, channel = 0): Promise<() => Float32Array> {
  const name = `tap-${channel}`
  const source = `registerProcessor('${name}', class extends AudioWorkletProcessor {
    process([{ ${channel}: input }]) { if (input) this.port.postMessage(input.slice()); return true } })`
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  await node.context.audioWorklet.addModule(address)
  const recorder = new AudioWorkletNode(node.context, name, { numberOfOutputs: 0 })
  node.connect(recorder)
  const blocks: Float32Array[] = []
  recorder.port.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => blocks.push(data))
  recorder.port.start()
  return () => {
    const all = new Float32Array(blocks.length * 128)
    blocks.forEach((block, index) => all.set(block, index * 128))
    return all
  }
}

const tone = (hz: number, seconds: number) =>
  Int16Array.from({ length: seconds * RATE_HZ }, (_, index) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * hz * index) / RATE_HZ)),
  )

const LOUD = 0.02
/** Measures the audible part; the frequency by its zero crossings. */
function measure(samples: Float32Array, rateHz: number) {
  const first = samples.findIndex((sample) => Math.abs(sample) > LOUD)
  const last = samples.findLastIndex((sample) => Math.abs(sample) > LOUD)
  const sound = samples.subarray(first, last + 1)
  const crossings: number[] = []
  let peak = 0
  let largestStep = 0
  for (let index = 1; index < sound.length; index++) {
    const [before, sample] = [sound[index - 1] ?? 0, sound[index] ?? 0]
    if (before < 0 && sample >= 0) crossings.push(index)
    peak = Math.max(peak, Math.abs(sample))
    largestStep = Math.max(largestStep, Math.abs(sample - before))
  }
  const soundMs = (sound.length * 1000) / rateHz
  const periods = crossings.length - 1
  const toneHz = (periods * rateHz) / ((crossings.at(-1) ?? 0) - (crossings[0] ?? 0))
  return { soundMs, toneHz, peak, largestStep }
}

async function prepare(options: Partial<PlayerOptions> & { contextRateHz?: number }) {
  const { contextRateHz = RATE_HZ, ...rest } = options
  const context = new AudioContext({ sampleRate: contextRateHz })
  const player = await createPlayer({ sampleRateHz: RATE_HZ, context, ...rest })
  return { context, player }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
async function untilTrue(condition: () => boolean) {
  while (!condition()) await pause(5)
}

async function summary(player: Player, recorded: Float32Array, rateHz: number) {
  const { playedMs, underruns } = player
  return { playedMs, underruns, ...measure(recorded, rateHz) }
}

export async function playStream(address: string, options: { contextRateHz?: number; workletUrl?: string }) {
  const { context, player } = await prepare(options)
  // The tap is a blob, which a strict page does not allow, so nothing is recorded there.
  const read = options.workletUrl === undefined ? await tap(player.node) : () => new Float32Array(1)
  const { body } = await fetch(address)
  if (body === null) throw new Error('The response has no body')
  await player.pipeFrom(body)
  await pause(100)
  const result = await summary(player, read(), context.sampleRate)
  await player.close()
  return result
}

export async function playStereo(contextRateHz: number) {
  const { player } = await prepare({ contextRateHz, channels: 2 })
  const [left, right] = [await tap(player.node, 0), await tap(player.node, 1)]
  const bytes = new Uint8Array(interleave([tone(440, 0.5), tone(880, 0.5)]).buffer)
  // In chunks that split frames and samples.
  for (let at = 0; at < bytes.length; at += 4801) player.feed(bytes.subarray(at, at + 4801))
  player.end()
  await player.drained()
  await pause(100)
  const { playedMs } = player
  const hzOf = (read: () => Float32Array) => measure(read(), contextRateHz).toneHz
  const result = { playedMs, leftHz: hzOf(left), rightHz: hzOf(right) }
  await player.close()
  return result
}

export async function bargeIn() {
  const { player } = await prepare({})
  const read = await tap(player.node)
  player.feed(tone(440, 5))
  await untilTrue(() => player.playedMs > 300)
  const lengthAtFlush = read().length
  player.flush()
  await player.drained()
  const bufferedAfterFlushMs = player.bufferedMs
  await pause(200)
  const afterFlush = read().subarray(lengthAtFlush)
  const silentFrom = afterFlush.findLastIndex((sample) => sample !== 0) + 1
  const start = read().length
  player.feed(tone(880, 0.5))
  player.end()
  await player.drained()
  await pause(50)
  const { toneHz } = measure(read().subarray(start), RATE_HZ)
  await player.close()
  return { silentAfterMs: (silentFrom * 1000) / RATE_HZ, bufferedAfterFlushMs, secondHz: toneHz }
}

export async function starve() {
  const { player } = await prepare({})
  const read = await tap(player.node)
  player.feed(tone(440, 0.3))
  await untilTrue(() => player.underruns === 1)
  player.feed(tone(440, 0.3))
  player.end()
  await player.drained()
  await pause(50)
  const { playedMs, underruns } = player
  const { largestStep } = measure(read(), RATE_HZ)
  await player.close()
  return { playedMs, underruns, largestStep }
}

export async function abortStream(address: string) {
  const { player } = await prepare({ maxBufferedMs: 1000 })
  const abort = new AbortController()
  const { body } = await fetch(address)
  if (body === null) throw new Error('The response has no body')
  let maxBufferedMs = 0
  const piping = player.pipeFrom(body, { signal: abort.signal }).then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  while (player.playedMs < 2000) {
    maxBufferedMs = Math.max(maxBufferedMs, player.bufferedMs)
    await pause(10)
  }
  abort.abort(new Error('enough'))
  const error = await piping
  await player.drained()
  const { bufferedMs } = player
  await player.close()
  return { maxBufferedMs, error, bufferedMs }
}

Object.assign(globalThis, { harness: { playStream, playStereo, bargeIn, starve, abortStream } })
