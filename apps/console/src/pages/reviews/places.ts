import type { CheckResult, Review } from '@vaani/client'

/** Where on a picture a check found something. */
export type Place = NonNullable<CheckResult['places']>[number]
export type Artifact = Place['artifact']

/** The pictures in the order of their keys, 1 to 3. */
export const PICTURES: readonly Artifact[] = ['front_image', 'back_image', 'reference_portrait']

export const NO_PLACES: readonly Place[] = []

/** What all checks of a case found, each once. */
export const placesOf = ({ checks }: Review): Place[] => [
  ...new Map(
    checks.flatMap(({ places = [] }) => places.map((place) => [JSON.stringify(place), place] as const)),
  ).values(),
]
