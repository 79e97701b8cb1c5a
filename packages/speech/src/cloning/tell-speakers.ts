import type { Bandwidth } from './cepstra.ts'
import { SPEAKER_AXES } from './speaker-axes.ts'
import type { Spoken } from './speaker-features.ts'
import { FRAMES_PER_SECOND } from './track-voice.ts'

/** Voiced speech that places a speaker well. With less, the same voice is further from itself. */
const ENOUGH_FRAMES = 1.5 * FRAMES_PER_SECOND
const ROUNDS = 8

/** Speech somewhere in the space of speakers, in which a step of 1 is how much the stretches of one speaker scatter. */
interface Place {
  at: readonly number[]
  frames: number
}

/**
 * How far apart two recordings' speakers are, in multiples of how much the stretches of one speaker scatter; less if one of them
 * has little speech. 0 without speech.
 */
export function speakerDistance(one: Spoken, other: Spoken): number {
  const bandwidth = one.bandwidth === 'wide' && other.bandwidth === 'wide' ? 'wide' : 'narrow'
  const [here, there] = [meanOf(placesOf(one, bandwidth)), meanOf(placesOf(other, bandwidth))]
  return here === null || there === null ? 0 : distanceOf(here, there)
}

/**
 * How far apart the two groups are that the stretches of a recording fall into best, by the method of k-means from each pair of
 * stretches. One speaker falls into two groups as well, which are near each other.
 */
export function speakerSpread(spoken: Spoken): number {
  const places = placesOf(spoken, spoken.bandwidth)
  let best = { gain: 0, distance: 0 }
  for (const [index, one] of places.entries())
    for (const other of places.slice(index + 1)) {
      const found = splitInTwo(places, [one, other])
      if (found !== null && found.gain > best.gain) best = found
    }
  return best.distance
}

function splitInTwo(places: readonly Place[], starts: readonly [Place, Place]) {
  let [one, other] = starts
  for (let round = 0; round < ROUNDS; round++) {
    const isOther = places.map((place) => squareOf(place, other) < squareOf(place, one))
    const first = meanOf(places.filter((_, index) => isOther[index] === false))
    const second = meanOf(places.filter((_, index) => isOther[index] === true))
    if (first === null || second === null) return null
    ;[one, other] = [first, second]
  }
  // How much less the places scatter about two means than about one.
  const gain = ((one.frames * other.frames) / (one.frames + other.frames)) * squareOf(one, other)
  return { gain, distance: distanceOf(one, other) }
}

const placesOf = ({ stretches }: Spoken, bandwidth: Bandwidth): Place[] =>
  stretches.map(({ features, frames }) => ({
    at: SPEAKER_AXES[bandwidth].map((axis) =>
      axis.reduce((sum, weight, index) => sum + weight * (features[bandwidth][index] ?? 0), 0),
    ),
    frames,
  }))

function meanOf(places: readonly Place[]): Place | null {
  const frames = places.reduce((sum, place) => sum + place.frames, 0)
  if (frames === 0) return null
  const [first] = places
  const at = (first?.at ?? []).map(
    (_, axis) => places.reduce((sum, place) => sum + place.frames * (place.at[axis] ?? 0), 0) / frames,
  )
  return { at, frames }
}

const squareOf = (one: Place, other: Place): number =>
  one.at.reduce((sum, value, axis) => sum + (value - (other.at[axis] ?? 0)) ** 2, 0)

const distanceOf = (one: Place, other: Place): number =>
  Math.sqrt(squareOf(one, other) * Math.min(1, Math.min(one.frames, other.frames) / ENOUGH_FRAMES))
