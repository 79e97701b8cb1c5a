import type { CallerIdLanguage } from '@vaani/contracts'

interface Words {
  /** Says who asked for the call, and what to do if the listener did not. */
  opening: (account: string) => string
  code: (digits: string) => string
  again: (digits: string) => string
  /** Names of the digits from 0. */
  digits: readonly [string, string, string, string, string, string, string, string, string, string]
}

const WORDS: Readonly<Record<CallerIdLanguage, Words>> = {
  'en-US': {
    opening: (account) =>
      `Hello. ${account} wants to show this phone number in its calls. If you did not ask for this call, please hang up, and tell nobody the code.`,
    code: (digits) => `The code is: ${digits}.`,
    again: (digits) => `Once more, the code is: ${digits}. Goodbye.`,
    digits: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  },
  'ne-NP': {
    opening: (account) =>
      `नमस्ते। ${account} आफ्ना कलहरूमा यो फोन नम्बर देखाउन चाहन्छ। यदि तपाईंले यो कल माग्नुभएको होइन भने, कृपया फोन राख्नुहोस् र कोड कसैलाई नभन्नुहोस्।`,
    code: (digits) => `कोड हो: ${digits}।`,
    again: (digits) => `फेरि एक पटक, कोड हो: ${digits}। नमस्ते।`,
    digits: ['शून्य', 'एक', 'दुई', 'तीन', 'चार', 'पाँच', 'छ', 'सात', 'आठ', 'नौ'],
  },
  'hi-IN': {
    opening: (account) =>
      `नमस्ते। ${account} अपनी कॉल में यह फ़ोन नंबर दिखाना चाहता है। अगर आपने यह कॉल नहीं माँगी है, तो कृपया फ़ोन रख दें और कोड किसी को न बताएँ।`,
    code: (digits) => `कोड है: ${digits}।`,
    again: (digits) => `एक बार फिर, कोड है: ${digits}। नमस्ते।`,
    digits: ['शून्य', 'एक', 'दो', 'तीन', 'चार', 'पाँच', 'छह', 'सात', 'आठ', 'नौ'],
  },
  'fr-FR': {
    opening: (account) =>
      `Bonjour. ${account} souhaite afficher ce numéro de téléphone dans ses appels. Si vous n’avez pas demandé cet appel, raccrochez et ne donnez le code à personne.`,
    code: (digits) => `Le code est : ${digits}.`,
    again: (digits) => `Je répète, le code est : ${digits}. Au revoir.`,
    digits: ['zéro', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf'],
  },
  'es-ES': {
    opening: (account) =>
      `Hola. ${account} quiere mostrar este número de teléfono en sus llamadas. Si usted no ha pedido esta llamada, cuelgue y no dé el código a nadie.`,
    code: (digits) => `El código es: ${digits}.`,
    again: (digits) => `Repito, el código es: ${digits}. Adiós.`,
    digits: ['cero', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'],
  },
  'de-DE': {
    opening: (account) =>
      `Guten Tag. ${account} möchte diese Telefonnummer bei Anrufen anzeigen. Wenn Sie diesen Anruf nicht angefordert haben, legen Sie bitte auf und nennen Sie niemandem den Code.`,
    code: (digits) => `Der Code lautet: ${digits}.`,
    again: (digits) => `Noch einmal, der Code lautet: ${digits}. Auf Wiederhören.`,
    digits: ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'],
  },
}

/**
 * Returns what a verification call says: who asked for it, and the code twice. Each digit is a word of its own, so that no engine reads
 * them as a number, and commas make it pause between them.
 *
 * @param announcement.code digits only
 */
export function composeAnnouncement(announcement: {
  language: CallerIdLanguage
  account: string
  code: string
}): string {
  const { opening, code, again, digits } = WORDS[announcement.language]
  const spoken = Array.from(announcement.code, (digit) => digits[Number(digit)]).join(', ')
  return [opening(announcement.account), code(spoken), again(spoken)].join(' ')
}
