import path from 'node:path'
import { createRandom } from '../../scripts/random.ts'

export interface RandomVideo {
  /** Kind of the video, the label of its row in the table. */
  readonly made: string
  readonly expected: 'passed' | 'open'
  /** Description for reports of wrong outcomes. */
  readonly detail: string
  /** Arguments of ffmpeg, without the output file. */
  readonly make: readonly string[]
}

const PERSON = path.resolve(import.meta.dirname, '../../specimens/person.jpg')
/** Frames per second of phones, webcams and films. */
const RATES = ['15', '20', '24', '25', '30000/1001', '30', '50', '60']
/** A shorter loop resembles human movement; a longer one hardly repeats in the shortest video. */
const LOOP_SECONDS = { min: 0.5, max: 2 }
const VIDEO_SECONDS = { min: 4, max: 9.5 }
const SKIPPED_SECONDS = 3
const KINDS = ['moving, at random', 'looped, at random', 'looped, then at another rate'] as const
const NODDING = 'nodding, unevenly'

/**
 * Generates `count` videos of each kind, at random rates and lengths: test pictures, fractals, and a camera held over a
 * face.
 */
export function* drawVideos(seed: number, count: number): Generator<RandomVideo> {
  const random = createRandom(seed)
  for (let index = 0; index < count; index++)
    for (const made of KINDS) yield drawVideo({ made, source: SOURCES[index % 3] ?? testPicture, random })
  for (let index = 0; index < count; index++) yield drawVideo({ made: NODDING, source: nod, random })
}

interface Draw {
  readonly rate: string
  readonly between: (min: number, max: number) => number
}
interface Source {
  readonly name: string
  readonly input: readonly string[]
  readonly filters: readonly string[]
}

function drawVideo(options: {
  made: (typeof KINDS)[number] | typeof NODDING
  source: (draw: Draw) => Source
  random: () => number
}): RandomVideo {
  const { made, source, random } = options
  const between = (min: number, max: number) => min + random() * (max - min)
  const rate = oneOf(RATES, random)
  const otherRate = oneOf(
    RATES.filter((one) => one !== rate),
    random,
  )
  const { name, input, filters } = source({ rate, between })
  const loopFrames = Math.round(between(LOOP_SECONDS.min, LOOP_SECONDS.max) * perSecond(rate))
  const skippedFrames = Math.floor(between(0, SKIPPED_SECONDS) * perSecond(rate))
  const seconds = between(VIDEO_SECONDS.min, VIDEO_SECONDS.max).toFixed(2)
  const quality = between(20, 32).toFixed(0)
  const isLooped = made.startsWith('looped')
  const isResampled = made === 'looped, then at another rate'
  const chain = [
    ...filters,
    `trim=start_frame=${skippedFrames}`,
    'setpts=PTS-STARTPTS',
    isLooped && `loop=loop=-1:size=${loopFrames}`,
    isResampled && `fps=${otherRate}`,
  ].filter((filter) => filter !== false)
  const detail = [
    `${name} of ${seconds} s at ${rate} frames per second`,
    isLooped && `repeated after ${loopFrames} frames`,
    isResampled && `then at ${otherRate} frames per second`,
  ].filter((part) => part !== false)
  const encoding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', quality, '-pix_fmt', 'yuv420p']
  return {
    made,
    expected: isLooped ? 'open' : 'passed',
    detail: detail.join(', '),
    make: [...input, '-vf', chain.join(','), '-t', seconds, ...encoding],
  }
}

const testPicture = ({ rate }: Draw): Source => ({
  name: 'a test picture',
  input: lavfi(`testsrc2=size=320x240:rate=${rate}`),
  filters: [],
})

function fractal({ rate, between }: Draw): Source {
  const place = `start_x=${between(-0.745, -0.742)}:start_y=${between(-0.135, -0.129)}:start_scale=${between(1, 3)}`
  return { name: 'a fractal', input: lavfi(`mandelbrot=size=320x240:rate=${rate}:${place}`), filters: [] }
}

function face({ rate, between }: Draw): Source {
  // Several periods together repeat only after minutes. A single one would be a regular nod, which is a loop.
  const sway = () =>
    Array.from({ length: 4 }, () => {
      const [pixels, periodSeconds, phase] = [between(8, 20), between(0.7, 7), between(0, 6)]
      return `${pixels}*sin(on/${perSecond(rate) * periodSeconds}*2*PI+${phase})`
    }).join('+')
  const view = `z=1.5:x='(iw-iw/zoom)/2+${sway()}':y='(ih-ih/zoom)/2+${sway()}'`
  return {
    name: 'a face',
    input: ['-loop', '1', '-i', PERSON],
    filters: [`zoompan=${view}:d=1000:s=320x240:fps=${rate}`],
  }
}

/** Simulates a person asked to nod or turn: periods vary by a few percent, widths by a tenth. */
function nod({ rate, between }: Draw): Source {
  const frames = perSecond(rate)
  const wave = (min: number, max: number) => `sin(on/${frames * between(min, max)}*2*PI+${between(0, 6)})`
  const turns = `${between(0.7, 2.2)}`
  const unevenly = `${between(0.03, 0.06)}*${wave(1.5, 3)}+${between(0.03, 0.06)}*${wave(3, 6)}`
  const width = `${between(30, 80)}*(1+0.1*${wave(2, 6)})`
  const angle = `2*PI*(on/${frames}/${turns}+${unevenly})`
  const view = `z=1.5:x='(iw-iw/zoom)/2+${width}*sin(${angle})':y='(ih-ih/zoom)/2+12*${wave(2, 7)}'`
  return {
    name: `a nod every ${Number(turns).toFixed(2)} s`,
    input: ['-loop', '1', '-i', PERSON],
    filters: [`zoompan=${view}:d=1000:s=320x240:fps=${rate}`],
  }
}

const SOURCES = [testPicture, fractal, face]
const lavfi = (source: string) => ['-f', 'lavfi', '-i', source]
const oneOf = (all: readonly string[], random: () => number) => all[Math.floor(random() * all.length)] ?? ''
function perSecond(rate: string): number {
  const [frames = 1, seconds = 1] = rate.split('/').map(Number)
  return frames / seconds
}
