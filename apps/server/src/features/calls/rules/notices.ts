import { parsePhoneNumberWithError, type CountryCode } from 'libphonenumber-js/max'

/** By the law of the number's country as far as we know it, in all calls, or never. */
export const NOTICE_MODES = ['by_country', 'always', 'off'] as const
export type NoticeMode = (typeof NOTICE_MODES)[number]

/** What the people on the phone are told, and the law that asks for it. Nothing is known of countries that are not here. */
interface Law {
  readonly artificialVoice?: string
  readonly recorded?: string
}

const EUROPEAN_UNION = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'
const OF_THE_UNION: Law = {
  artificialVoice: 'Regulation (EU) 2024/1689, Article 50 (1)',
  recorded: 'Regulation (EU) 2016/679, Article 13',
}
const LAWS: Readonly<Record<string, Law>> = {
  ...Object.fromEntries(EUROPEAN_UNION.split(' ').map((country) => [country, OF_THE_UNION])),
  CA: { recorded: 'Personal Information Protection and Electronic Documents Act, Schedule 1, 4.3' },
  CH: { recorded: 'Criminal Code, Articles 179bis and 179ter' },
  GB: { recorded: 'UK General Data Protection Regulation, Article 13' },
  // Of the states that ask for the consent of all, of which the number does not tell, California.
  US: {
    artificialVoice: 'California Public Utilities Code, section 2874',
    recorded: 'California Penal Code, section 632',
  },
}

interface Words {
  readonly both: string
  readonly artificialVoice: string
  readonly recorded: string
}

/** By the first part of a language's tag. */
const WORDS: Readonly<Record<string, Words>> = {
  en: {
    both: 'This is an artificial voice, and this call is recorded.',
    artificialVoice: 'This is an artificial voice.',
    recorded: 'This call is recorded.',
  },
  de: {
    both: 'Sie hören eine künstliche Stimme, und dieses Gespräch wird aufgezeichnet.',
    artificialVoice: 'Sie hören eine künstliche Stimme.',
    recorded: 'Dieses Gespräch wird aufgezeichnet.',
  },
  es: {
    both: 'Le habla una voz artificial, y esta llamada se graba.',
    artificialVoice: 'Le habla una voz artificial.',
    recorded: 'Esta llamada se graba.',
  },
  fr: {
    both: 'Vous entendez une voix artificielle, et cet appel est enregistré.',
    artificialVoice: 'Vous entendez une voix artificielle.',
    recorded: 'Cet appel est enregistré.',
  },
  hi: {
    both: 'यह एक कृत्रिम आवाज़ है, और यह कॉल रिकॉर्ड की जा रही है।',
    artificialVoice: 'यह एक कृत्रिम आवाज़ है।',
    recorded: 'यह कॉल रिकॉर्ड की जा रही है।',
  },
  ne: {
    both: 'यो कृत्रिम आवाज हो, र यो कल रेकर्ड हुँदैछ।',
    artificialVoice: 'यो कृत्रिम आवाज हो।',
    recorded: 'यो कल रेकर्ड हुँदैछ।',
  },
}

const ALWAYS: Law = { artificialVoice: 'the operator', recorded: 'the operator' }

function countryOf(number: string): CountryCode | undefined {
  try {
    return parsePhoneNumberWithError(number).country
  } catch {
    return undefined
  }
}

/** Returns what is said before an agent's words; null if nothing is to be, and `no_words` if we have none in the language. */
export function noticeOf(
  mode: NoticeMode,
  { number, language }: { number: string; language: string },
): string | 'no_words' | null {
  const { artificialVoice, recorded } = lawOf(mode, number)
  if (artificialVoice === undefined && recorded === undefined) return null
  const words = WORDS[language.split('-', 1)[0]?.toLowerCase() ?? '']
  if (words === undefined) return 'no_words'
  if (artificialVoice === undefined) return words.recorded
  return recorded === undefined ? words.artificialVoice : words.both
}

function lawOf(mode: NoticeMode, number: string): Law {
  switch (mode) {
    case 'off':
      return {}
    case 'always':
      return ALWAYS
    case 'by_country':
      return LAWS[countryOf(number) ?? ''] ?? {}
  }
}
