import { createResampler } from '../../src/index.ts'
import { measureResampler } from '../../test/resampler-quality.ts'
import { isThere, NATIVE, nativeRate, runNative } from './native.ts'
import { type CreateResampler, RESAMPLERS } from './other-resamplers.ts'
import { compare, type Contender } from './turns.ts'

const RATES = [
  { fromHz: 24_000, toHz: 16_000 },
  { fromHz: 48_000, toHz: 16_000 },
  { fromHz: 22_050, toHz: 16_000 },
  { fromHz: 8000, toHz: 16_000 },
] as const
const [FIRST] = RATES
const label = ({ fromHz, toHz }: { fromHz: number; toHz: number }) => `${fromHz / 1000} to ${toHz / 1000}`
const three = (value: number) => Number(value.toPrecision(3))

async function contender(
  create: CreateResampler,
  rates: { fromHz: number; toHz: number },
): Promise<Contender> {
  const resampler = await create(rates.fromHz, rates.toHz)
  const frame = Float32Array.from({ length: rates.fromHz / 50 }, (_, index) => Math.sin(index) / 2)
  return {
    samples: 50 * frame.length,
    run: () => Array.from({ length: 50 }, () => resampler.push(frame).length),
  }
}

/** Resamples as a server does: 16 bits in and out, into one reused array. */
function ours16(rates: { fromHz: number; toHz: number }): Contender {
  const resampler = createResampler(rates)
  const frame = Int16Array.from({ length: rates.fromHz / 50 }, (_, index) => 16_000 * Math.sin(index))
  const into = new Int16Array(resampler.maxOutputSamples(frame.length))
  return {
    samples: 50 * frame.length,
    run() {
      for (let index = 0; index < 50; index++) resampler.pushInto(frame, into)
    },
  }
}

/** Prints millions of input samples per second in frames of 20 ms, in turns in one process; native programs run afterwards. */
export async function benchResamplers(): Promise<void> {
  const columns = new Map<string, Record<string, number | string>>()
  const row = (name: string) => columns.get(name) ?? columns.set(name, {}).get(name) ?? {}
  for (const rates of RATES) {
    const contenders = await Promise.all(
      Object.entries(RESAMPLERS).map(
        async ([name, create]) => [name, await contender(create, rates)] as const,
      ),
    )
    const results = compare({
      ...Object.fromEntries(contenders),
      'ours, standard, WASM, 16 bits, pushInto': ours16(rates),
    })
    for (const [name, { rate, share }] of Object.entries(results)) {
      row(name)[label(rates)] = three(rate)
      if (rates === FIRST)
        for (const other of ['FASTEST', 'MEDIUM'])
          row(name)[`of libsamplerate-js ${other}`] = three(
            share / (results[`libsamplerate-js ${other}`]?.share ?? Number.NaN),
          )
    }
  }
  for (const name of Object.keys(NATIVE).filter(isThere))
    row(name)[label(FIRST)] = three(nativeRate(name, FIRST))
  console.log(
    'M input samples/s, frames of 20 ms (programs: 60 M at once, minus their time without resampling)',
  )
  console.table(Object.fromEntries(columns))
}

/** Prints the quality of each resampler. */
export async function benchQuality(): Promise<void> {
  const rows: Record<string, Record<string, string>> = {}
  const measure = async (
    name: string,
    resample: (samples: Float32Array, rates: { fromHz: number; toHz: number }) => Promise<Float32Array>,
  ) => {
    const cells: Record<string, string> = {}
    for (const rates of [FIRST, RATES[1]]) {
      const quality = await measureResampler((samples) => resample(samples, rates), rates)
      cells[label(rates)] = [
        `${quality.distortionDb.toFixed(0)} dB`,
        `${quality.aliasDb.toFixed(0)} dB`,
        `${Math.round(quality.passband * 100)} %`,
      ].join(', ')
    }
    rows[name] = cells
  }
  for (const [name, create] of Object.entries(RESAMPLERS).filter(([name]) => !name.endsWith('plain')))
    await measure(name, async (samples, { fromHz, toHz }) => {
      const resampler = await create(fromHz, toHz)
      return Float32Array.from([...resampler.push(samples), ...resampler.flush()])
    })
  for (const name of Object.keys(NATIVE).filter(isThere))
    await measure(name, async (samples, rates) => runNative(name, samples, rates))
  console.log('THD+N at 997 Hz, loudest alias of tones beyond Nyquist, band within 0.5 dB')
  console.table(rows)
}

/** Prints the heap growth of an hour of frames. */
export function benchHeap(): void {
  const resampler = createResampler({ fromHz: 24_000, toHz: 16_000 })
  const frame = new Int16Array(480)
  const into = new Int16Array(resampler.maxOutputSamples(480))
  const frames = 180_000
  const run = (count: number) => {
    for (let index = 0; index < count; index++) resampler.pushInto(frame, into)
  }
  run(10_000)
  globalThis.gc?.()
  const before = process.memoryUsage()
  run(frames)
  const after = process.memoryUsage()
  const bytes = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers
  console.log(
    `an hour of 20 ms frames through pushInto leaves ${bytes} bytes, ${(bytes / frames).toFixed(2)} per frame, without a collection in between`,
  )
}
