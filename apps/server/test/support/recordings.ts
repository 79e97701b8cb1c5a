import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { encodeWav } from '@vaani/pcm-audio'
import { NEUTRAL } from '@vaani/speech'
import { createEngine } from '@vaani/speech-espeak'
import { runTool } from '@vaani/test-services/run-tool'

/** Eight seconds of speech. */
const READ =
  'When the sunlight strikes raindrops in the air, they act as a prism and form a rainbow. The rainbow is a division of white light into many beautiful colors.'

/** Speakers by the voice of the engine that plays them, and the semitones that it is moved by. */
const SPEAKERS = { man: ['alt1', -2], woman: ['alt2', 3] } as const
export type RecordingFormat = keyof typeof OPTIONS
export const RECORDING_FORMATS: readonly RecordingFormat[] = [
  'wav',
  'mp3',
  'ogg',
  'opus',
  'flac',
  'm4a',
  'webm',
]

const recorded: Partial<Record<keyof typeof SPEAKERS, Promise<Buffer>>> = {}

/** Records a speaker as WAV, once for all files of a process. */
export const recordSpeaker = (speaker: keyof typeof SPEAKERS): Promise<Buffer> =>
  (recorded[speaker] ??= record(speaker))

async function record(speaker: keyof typeof SPEAKERS): Promise<Buffer> {
  const engine = createEngine({ workers: 1 })
  const [voice, pitchSemitones] = SPEAKERS[speaker]
  const request = { text: READ, voice, language: 'en-US', prosody: { ...NEUTRAL, pitchSemitones } }
  try {
    const chunks = await Array.fromAsync(engine.synthesize(request))
    const samples = Int16Array.from(chunks.flatMap((chunk) => [...chunk]))
    return Buffer.from(encodeWav(samples, engine.capabilities()))
  } finally {
    await engine.close()
  }
}

/** Options of ffmpeg by the end of the file's name. */
const OPTIONS = {
  wav: '-c:a pcm_s16le',
  mp3: '-c:a libmp3lame -b:a 64k',
  ogg: '-c:a libvorbis',
  opus: '-c:a libopus -f ogg',
  flac: '-c:a flac',
  m4a: '-c:a aac -b:a 64k',
  webm: '-c:a libopus -b:a 32k',
} as const

/** Encodes a WAV file with ffmpeg. */
export async function encodeRecording(wav: Buffer, format: RecordingFormat): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-recording-'))
  try {
    const file = path.join(folder, `recording.${format}`)
    runTool('ffmpeg', ['-i', 'pipe:0', ...OPTIONS[format].split(' '), file], wav)
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
