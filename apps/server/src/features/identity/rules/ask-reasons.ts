import type { ArtifactName, MediaProblem } from '@vaani/contracts'
import type { StoredReason } from './review-reasons.ts'

interface Subject {
  /** Begins a sentence. */
  readonly name: string
  readonly ask: string
}

const SUBJECTS: Readonly<
  Record<ArtifactName, { readonly shows: 'document' | 'face'; readonly en: Subject; readonly ne: Subject }>
> = {
  front_image: {
    shows: 'document',
    en: { name: 'The front of the document', ask: 'Take a new picture of the front of the document' },
    ne: { name: 'कागजातको अगाडिको भाग', ask: 'कागजातको अगाडिको भागको नयाँ तस्बिर खिच्नुहोस्' },
  },
  back_image: {
    shows: 'document',
    en: { name: 'The back of the document', ask: 'Take a new picture of the back of the document' },
    ne: { name: 'कागजातको पछाडिको भाग', ask: 'कागजातको पछाडिको भागको नयाँ तस्बिर खिच्नुहोस्' },
  },
  liveness_video: {
    shows: 'face',
    en: { name: 'The video', ask: 'Record a new video of yourself' },
    ne: { name: 'भिडियो', ask: 'आफ्नो नयाँ भिडियो खिच्नुहोस्' },
  },
  reference_portrait: {
    shows: 'face',
    en: { name: 'The portrait', ask: 'Take a new picture of yourself' },
    ne: { name: 'तपाईंको तस्बिर', ask: 'आफ्नो नयाँ तस्बिर खिच्नुहोस्' },
  },
}

interface Advice {
  /** How to do better; follows what is asked for in English, and precedes it in Nepali. */
  readonly document: string
  readonly face: string
}

const PROBLEMS: Readonly<
  Record<MediaProblem, { readonly en: Advice & { said: string }; readonly ne: Advice & { said: string } }>
> = {
  blurred: {
    en: { said: 'is blurred', document: 'with the camera held still', face: 'with the camera held still' },
    ne: { said: 'धमिलो छ', document: 'क्यामेरा नहल्लाई', face: 'क्यामेरा नहल्लाई' },
  },
  glare: {
    en: {
      said: 'has too much glare',
      document: 'with no light reflected in it',
      face: 'with no bright light behind you',
    },
    ne: { said: 'प्रकाशले चम्किएको छ', document: 'प्रकाश नचम्किने गरी', face: 'पछाडि चर्को प्रकाश नपर्ने गरी' },
  },
  too_dark: {
    en: { said: 'is too dark', document: 'in even light', face: 'in even light' },
    ne: { said: 'निकै अँध्यारो छ', document: 'उज्यालो ठाउँमा', face: 'उज्यालो ठाउँमा' },
  },
  cut_off: {
    en: {
      said: 'is not wholly in view',
      document: 'with all of it in view',
      face: 'with your whole face in view',
    },
    ne: { said: 'पूरै देखिएन', document: 'पूरै देखिने गरी', face: 'अनुहार पूरै देखिने गरी' },
  },
  covered: {
    en: {
      said: 'is partly covered',
      document: 'with nothing in front of it',
      face: 'with nothing in front of your face',
    },
    ne: { said: 'केही छोपिएको छ', document: 'केहीले नछोपी', face: 'अनुहार केहीले नछोपी' },
  },
  wrong_picture: {
    en: { said: 'was expected, but something else was sent', document: '', face: '' },
    ne: { said: 'को सट्टा अर्कै कुरा पठाइएको छ', document: '', face: '' },
  },
  missing: {
    en: { said: 'was not sent', document: '', face: '' },
    ne: { said: 'पठाइएको छैन', document: '', face: '' },
  },
}

const THEN = { en: 'Then send everything again.', ne: 'त्यसपछि सबै फेरि पठाउनुहोस्।' }

/** Returns what the person is told if a reviewer needs something again. The code names both, such as `back_image_glare`. */
export function reasonOfAsk(artifact: ArtifactName, problem: MediaProblem): StoredReason {
  const { shows, en, ne } = SUBJECTS[artifact]
  const { en: english, ne: nepali } = PROBLEMS[problem]
  const space = problem === 'wrong_picture' ? '' : ' '
  return {
    code: `${artifact}_${problem}`,
    check: 'review',
    outcome: 'warning',
    retryable: true,
    message: `${en.name} ${english.said}.`,
    next_step: `${[en.ask, english[shows]].filter(Boolean).join(' ')}. ${THEN.en}`,
    translations: {
      ne: {
        message: `${ne.name}${space}${nepali.said}।`,
        next_step: `${[nepali[shows], ne.ask].filter(Boolean).join(' ')}। ${THEN.ne}`,
      },
    },
  }
}

/** Adds what a reviewer asks for to what reviewers asked for before, in place of what the checks found. */
export const withAsk = (
  reasons: readonly StoredReason[],
  artifact: ArtifactName,
  problem: MediaProblem,
): StoredReason[] => [
  ...reasons.filter(({ check, code }) => check === 'review' && !code.startsWith(`${artifact}_`)),
  reasonOfAsk(artifact, problem),
]
