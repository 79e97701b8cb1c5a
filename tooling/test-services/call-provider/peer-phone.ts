/** What the person at a number does. */
export type Behaviour =
  | { readonly type: 'answers'; readonly echoes?: boolean }
  | { readonly type: 'refuses'; readonly status: 'busy' | 'failed' | 'no-answer'; readonly sipStatus: number }
  | { readonly type: 'never_answers' }

/** Numbers of the peer. All others answer and listen. */
export const PEER_NUMBERS = {
  answers: '+9779812345678',
  echoes: '+9779812345670',
  busy: '+9779812345601',
  // Twilio has no status for a person who declines.
  rejects: '+9779812345602',
  neverAnswers: '+9779812345603',
  unreachable: '+9779812345604',
} as const

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  [PEER_NUMBERS.echoes]: { type: 'answers', echoes: true },
  [PEER_NUMBERS.busy]: { type: 'refuses', status: 'busy', sipStatus: 486 },
  [PEER_NUMBERS.rejects]: { type: 'refuses', status: 'busy', sipStatus: 603 },
  [PEER_NUMBERS.neverAnswers]: { type: 'never_answers' },
  [PEER_NUMBERS.unreachable]: { type: 'refuses', status: 'failed', sipStatus: 404 },
}

export const behaviourOf = (number: string): Behaviour => BEHAVIOURS[number] ?? { type: 'answers' }
