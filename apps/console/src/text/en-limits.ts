import type { LimitUse } from '@vaani/client'

type NamesOf<Kind extends 'rates' | 'concurrency' | 'counts' | 'caps'> = Readonly<
  Record<LimitUse[Kind][number]['name'], string>
>

const rates: NamesOf<'rates'> = {
  place_call: 'Calls placed',
  speech_stream: 'Speech streams started',
  synthesis_high_fidelity: 'Synthesis, high fidelity',
  synthesis_light: 'Synthesis, light',
  watermark_detection: 'Watermark checks',
  lexicon_changes: 'Changes to lexicons',
  voice_cloning: 'Voices cloned',
  kyc_submissions: 'Verifications submitted',
  status_polls: 'Reads of a pending verification',
  verification_reads: 'Reads of decided verifications',
  chat: 'Requests to models',
  speech: 'Speech by models',
  ocr: 'Documents sent to be read',
  batch: 'Batches created',
  deployments: 'Deployments created',
  do_not_call_changes: 'Changes to the do-not-call list',
  caller_id_calls: 'Calls to verify caller ids',
  caller_id_changes: 'Codes entered, and caller ids removed',
}

const concurrency: NamesOf<'concurrency'> = {
  waiting_calls: 'Calls that wait to be dialled',
  concurrent_streams: 'Streams at a time',
  pending_verifications: 'Pending verifications',
  unfinished_documents: 'Documents being read',
  unfinished_batches: 'Batches under way',
}

const counts: NamesOf<'counts'> = {
  scheduled_calls: 'Scheduled calls',
  agents: 'Agents',
  lexicons: 'Lexicons',
  voices: 'Cloned voices',
  stored_files: 'Files for batches',
  deployments: 'Deployments with a valid license',
  members: 'Members, in both modes',
  endpoints: 'Webhook endpoints',
  keys: 'Keys',
}

const caps: NamesOf<'caps'> = {
  line_minutes: 'Minutes on phone lines',
  line_spend: 'Money for phone lines',
  attempts_per_number: 'Calls to one number over phone lines',
}

/** What the console says in English about limits. */
export const enLimits = {
  title: 'Limits',
  hint: 'What is used in this mode, nearest to its limit first. Looking uses nothing.',
  plan: 'Plan',
  tiers: { starter: 'Starter', pro: 'Pro', enterprise: 'Enterprise' } satisfies Record<
    LimitUse['tier'],
    string
  >,
  use: 'Use against limits',
  used: (used: string, limit: string) => `${used} of ${limit}`,
  within: (span: string, per: string) => `In any ${span}, ${per}.`,
  per: {
    key: 'for this session’s key alone',
    account: 'for all keys together',
    verification: 'for each verification',
  } satisfies Record<LimitUse['rates'][number]['per'], string>,
  atMost: (limit: string) => `At most ${limit}`,
  money: (amount: string, currency: string) => `${amount} ${currency}`,
  ofDay: (span: string) => `In a day of UTC, in both modes. The next begins in ${span}.`,
  more: (span: string) => `More is free in ${span}.`,
  full: 'Used up',
  fullNow: (span: string) => `Used up. Go on in ${span}.`,
  alone:
    'Rates and streams are what one process of the server knows of: it counts without Redis, or Redis is away.',
  fine: 'No limit is more than half used.',
  all: 'All limits',
  rates,
  concurrency,
  counts,
  caps,
}
