import type { ReviewReason } from '@vaani/contracts'
import type { DecisionReason } from '@vaani/identity-checks'

interface Texts {
  readonly message: string
  readonly next_step: string
}

/** Reason for a decision, as stored: of a check, or of the people who decided. */
export interface StoredReason extends Omit<DecisionReason, 'check'>, Texts {
  readonly check: DecisionReason['check'] | 'review'
  readonly translations?: { readonly ne: Texts }
}

interface ReviewText {
  readonly retryable: boolean
  readonly en: Texts
  readonly ne: Texts
}

const CONTACT = {
  en: 'Contact the service that asked you to verify your identity.',
  ne: 'पहिचान प्रमाणित गर्न भनेको सेवासँग सम्पर्क गर्नुहोस्।',
}
const final = (en: string, ne: string): ReviewText => ({
  retryable: false,
  en: { message: en, next_step: CONTACT.en },
  ne: { message: ne, next_step: CONTACT.ne },
})

/** What the person is told. Nothing here says what gave a forgery away. */
const TEXTS: Readonly<Record<ReviewReason, ReviewText>> = {
  document_unreadable: {
    retryable: true,
    en: {
      message: 'The document could not be read in the pictures.',
      next_step: 'Send new pictures in even light, with the whole document sharp and in view.',
    },
    ne: {
      message: 'तस्बिरमा कागजात पढ्न सकिएन।',
      next_step: 'उज्यालो ठाउँमा, कागजात पूरै देखिने गरी स्पष्ट तस्बिर खिचेर फेरि पठाउनुहोस्।',
    },
  },
  document_not_accepted: {
    retryable: true,
    en: {
      message: 'This document is not accepted.',
      next_step: 'Use another document, such as a passport.',
    },
    ne: {
      message: 'यो कागजात स्वीकार गरिँदैन।',
      next_step: 'राहदानी जस्तो अर्को कागजात प्रयोग गर्नुहोस्।',
    },
  },
  document_expired: {
    retryable: true,
    en: { message: 'The document has expired.', next_step: 'Use a valid document.' },
    ne: { message: 'कागजातको म्याद सकिएको छ।', next_step: 'म्याद नसकिएको कागजात प्रयोग गर्नुहोस्।' },
  },
  not_live: {
    retryable: true,
    en: {
      message: 'The video could not be confirmed as showing a live person.',
      next_step: 'Record a new video of yourself in good light, facing the camera.',
    },
    ne: {
      message: 'भिडियोमा प्रत्यक्ष व्यक्ति भएको पुष्टि हुन सकेन।',
      next_step: 'उज्यालो ठाउँमा, क्यामेरातिर हेरेर आफ्नो नयाँ भिडियो खिच्नुहोस्।',
    },
  },
  document_doubtful: final(
    'The document could not be confirmed as genuine.',
    'कागजात सक्कली भएको पुष्टि हुन सकेन।',
  ),
  face_mismatch: final(
    'The face in the video could not be matched with the document.',
    'भिडियोको अनुहार कागजातको तस्बिरसँग मेल खाएन।',
  ),
  details_differ: final(
    'Details of the document differ from each other.',
    'कागजातका विवरणहरू एकआपसमा मेल खाएनन्।',
  ),
  already_sent: final(
    'The same document or picture was sent earlier.',
    'उही कागजात वा तस्बिर पहिले नै पठाइएको छ।',
  ),
  under_age: final('The person is younger than allowed.', 'व्यक्तिको उमेर तोकिएको भन्दा कम छ।'),
  other: final('A reviewer declined the verification.', 'समीक्षकले प्रमाणीकरण अस्वीकार गरे।'),
}

/** Returns what the person is told of a decision by people: of an approval nothing, of any other at least that there was one. */
export function reasonsOfReview(
  decision: 'approved' | 'declined',
  codes: readonly ReviewReason[],
): StoredReason[] {
  if (decision === 'approved') return []
  const given: readonly ReviewReason[] = codes.length === 0 ? ['other'] : [...new Set(codes)]
  return given.map((code) => {
    const { retryable, en, ne } = TEXTS[code]
    return { code, check: 'review', outcome: 'failed', ...en, retryable, translations: { ne } }
  })
}
