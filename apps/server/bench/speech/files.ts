import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { SpeechEngine } from '@vaani/speech'
import { NEUTRAL } from '@vaani/speech'
import type { BenchServer } from './server.ts'
import { TEXT } from './sources.ts'
import { median, printTable } from './statistics.ts'

const ROUNDS = 7
const FORMATS = ['wav', 'mp3', 'ogg'] as const
const ENCODERS = { wav: 'pcm_s16le', mp3: 'libmp3lame', ogg: 'libvorbis' } as const
const ESPEAK = 'espeak-ng'

interface Run {
  name: string
  /** Speaks the text to its end and returns the seconds of audio. */
  speak(): Promise<number>
}

/** Measures the real-time factor of whole files: seconds until the last byte for each second of audio. */
export async function measureFiles(server: BenchServer, engine: SpeechEngine): Promise<void> {
  const hasNative = spawnSync(ESPEAK, ['--version']).status === 0
  const runs: Run[] = [
    { name: 'the engine alone, one sentence after another', speak: () => speakAlone(engine) },
    ...FORMATS.map((format) => ({ name: `synthesize, ${format}`, speak: () => synthesize(server, format) })),
    ...(hasNative
      ? FORMATS.map((format) => ({
          name: `espeak-ng | ffmpeg, ${format}`,
          speak: () => speakNatively(format),
        }))
      : []),
  ]
  if (!hasNative) console.log('\nespeak-ng is not installed, so nothing native is measured beside')
  const factors = new Map<Run, number[]>(runs.map((run) => [run, []]))
  for (const run of runs) await run.speak()
  for (let round = 0; round < ROUNDS; round++)
    for (const [run, measured] of factors) {
      const startMs = performance.now()
      const seconds = await run.speak()
      measured.push((performance.now() - startMs) / 1000 / seconds)
    }
  const alone = median(factors.values().next().value ?? [])
  console.log('\nWhole files, one at a time\n')
  printTable(
    ['run', 'real-time factor', 'times real time', 'of the engine alone'],
    [...factors].map(([{ name }, measured]) => [
      name,
      median(measured).toFixed(4),
      (1 / median(measured)).toFixed(0),
      (median(measured) / alone).toFixed(2),
    ]),
  )
}

async function speakAlone(engine: SpeechEngine): Promise<number> {
  let samples = 0
  for (const sentence of TEXT.match(/[^.]+\./g) ?? []) {
    const request = { text: sentence.trim(), voice: 'default', language: 'en-US', prosody: NEUTRAL }
    for await (const chunk of engine.synthesize(request)) samples += chunk.length
  }
  return samples / engine.capabilities().sampleRateHz
}

async function synthesize({ url, key }: BenchServer, format: (typeof FORMATS)[number]): Promise<number> {
  const answer = await fetch(`${url}/v1/engine/synthesize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'synth-v1', text: TEXT, language: 'en-US', format, sample_rate: 22_050 }),
  })
  if (!answer.ok) throw new Error(`synthesize was answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
  const descriptor: { duration_seconds: number } = JSON.parse(
    answer.headers.get('x-synthesis-descriptor') ?? '{}',
  )
  return descriptor.duration_seconds
}

async function speakNatively(format: (typeof FORMATS)[number]): Promise<number> {
  const speaker = spawn(ESPEAK, ['-v', 'en-us', '--stdout', TEXT], { stdio: ['ignore', 'pipe', 'inherit'] })
  const encoder = spawn('ffmpeg', [
    '-v',
    'error',
    '-i',
    '-',
    '-c:a',
    ENCODERS[format],
    '-f',
    format,
    '-progress',
    'pipe:2',
    '-',
  ])
  const [, progress] = await Promise.all([
    buffer(encoder.stdout),
    buffer(encoder.stderr),
    pipeline(speaker.stdout, encoder.stdin),
    once(encoder, 'close'),
  ])
  const times = [...String(progress).matchAll(/out_time_us=(\d+)/g)]
  return Number(times.at(-1)?.[1]) / 1e6
}
