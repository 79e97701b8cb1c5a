/** `pnpm listen [FILE]` speaks every voice, emotion, rate, pitch and model, and writes them to one page to listen to. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { EMOTIONS } from '@vaani/speech'
import {
  createRenderPool,
  FILE_MEDIA_TYPES,
  SYNTHESIS_MODEL_PROFILES,
  synthesizeSpeech,
  type SynthesisModel,
  type SynthesizeSpeechOptions,
} from '@vaani/speech/synthesis'
import { createEngine } from '../src/create-engine.ts'
import { LANGUAGES } from '../src/languages.ts'
import { SENTENCES } from '../src/test/spoken.ts'

const VOICES = ['default', 'alt1', 'alt2']
const ENGLISH = 'Your order has arrived. You can pick it up today, between nine and half past five.'

type Wanted = Partial<SynthesizeSpeechOptions>

/** A table of samples: a row of the page, with the options of each cell by its label. */
interface Row {
  title: string
  cells: readonly (readonly [label: string, wanted: Wanted])[]
}

const byVoice = (wanted: Wanted): Row['cells'] => VOICES.map((voice) => [voice, { ...wanted, voice }])

const SECTIONS: Readonly<Record<string, readonly Row[]>> = {
  Languages: LANGUAGES.map(({ tag, note }) => ({
    title: note === undefined ? tag : `${tag} (${note})`,
    cells: byVoice({ language: tag, text: SENTENCES[tag.slice(0, 2)] ?? SENTENCES['en'] ?? ENGLISH }),
  })),
  Emotions: (Object.keys(EMOTIONS) as (keyof typeof EMOTIONS)[]).map((emotion) => ({
    title: emotion,
    cells: byVoice({ emotion }),
  })),
  Rate: [0.5, 0.75, 1, 1.5, 2].map((speakingRate) => ({
    title: `${speakingRate} ×`,
    cells: byVoice({ speakingRate }),
  })),
  Pitch: [-6, -3, 0, 3, 6].map((pitchSemitones) => ({
    title: `${pitchSemitones} semitones`,
    cells: byVoice({ pitchSemitones }),
  })),
  Models: (Object.keys(SYNTHESIS_MODEL_PROFILES) as SynthesisModel[]).map((model) => ({
    title: model,
    cells: (['mp3', 'ogg', 'wav'] as const).map((format) => [format, { model, format }]),
  })),
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)

const engine = createEngine()
const renderers = createRenderPool()

async function sampleOf(wanted: Wanted): Promise<string> {
  const options: SynthesizeSpeechOptions = {
    engine,
    renderers,
    text: ENGLISH,
    model: 'synth-l1',
    voice: 'default',
    language: 'en-US',
    emotion: 'neutral',
    speakingRate: 1,
    pitchSemitones: 0,
    format: 'mp3',
    sampleRateHz: 22_050,
    ...wanted,
  }
  const speech = await synthesizeSpeech(options)
  const bytes = Buffer.concat(await Array.fromAsync(speech.chunks()))
  const source = `data:${FILE_MEDIA_TYPES[options.format]};base64,${bytes.toString('base64')}`
  return `<audio controls preload="none" src="${source}"></audio> ${speech.durationSeconds.toFixed(1)} s, ${Math.ceil(bytes.length / 1024)} KiB`
}

async function rowOf({ title, cells }: Row): Promise<string> {
  const samples = await Promise.all(
    cells.map(async ([label, wanted]) => `<td>${escape(label)}<br>${await sampleOf(wanted)}</td>`),
  )
  return `<tr><th>${escape(title)}</th>${samples.join('')}</tr>`
}

const parts: string[] = []
for (const [title, rows] of Object.entries(SECTIONS)) {
  parts.push(`<h2>${title}</h2><table>`)
  for (const row of rows) parts.push(await rowOf(row))
  parts.push('</table>')
}
await Promise.all([engine.close(), renderers.close()])
const file = path.resolve(process.argv[2] ?? 'listen.html')
await writeFile(
  file,
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Voices of Vaani</title>
<style>body{font:16px system-ui;margin:2em}th{text-align:left;max-width:16em}td{padding:.5em}</style>
<h1>Voices of Vaani</h1><p>${escape(ENGLISH)}</p>${parts.join('\n')}</html>\n`,
)
process.stdout.write(`${file}\n`)
