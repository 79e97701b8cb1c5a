/** What shows that two numbers are a day and a month. Sources of patterns. */
export interface Signs {
  /** Words before a date alone. */
  before: string
  /** Words before a date, or before points of those that can be had: `delivered 9/10`. */
  maybeBefore?: string
  /** Words before a date that can be told from a part: `by 12/15`, but `by 5/12`. */
  clearBefore?: string
  /** Words after a date that can be told from a part. */
  clearAfter?: string
  /** Words before the first of two dates. */
  from?: string
  /** What may follow a date, but no noun that the numbers might count. */
  follows: string
}

/** With a slash, in the languages that write dates so. */
export const SLASHED: Readonly<Record<string, Signs>> = {
  en: {
    before: 'due|dated|expires|expired|scheduled|deadline|appointment|appt',
    maybeBefore:
      'cleared|posted|delivered|delivery|shipped|arrives|arriving|starts|starting|begins|beginning|ends|ending|closes|opens|effective',
    clearBefore: String.raw`by|before|after|from|(?<!(?:^|[^\p{L} ] ?)(?:valid|good) )(?:through|thru)`,
    from: 'from|between',
    follows:
      'at|and|or|for|to|on|in|with|the|if|please|we|you|I|he|she|they|it|is|was|but|so|via|by|until|till|through',
  },
  es: {
    before: 'fecha|vence|caduca|expira|vencimiento|antes del|después del|a partir del',
    maybeBefore: 'entrega|cita',
    from: 'del|desde el|entre el',
    follows: 'al?|y|o|en|para|por|con|desde|hasta|si|pero|el|las?|los|es|se|está|será',
  },
  pt: {
    before: 'data|vence|expira|vencimento|a partir de',
    maybeBefore: 'entrega|consulta',
    from: 'de|desde',
    follows: 'às?|ao?|e|ou|em|n[oa]|para|por|com|até|se|mas|os?|é|será',
  },
  fr: {
    before: "date|expire|échéance|rendez-vous|rdv|avant le|après le|jusqu'au",
    maybeBefore: 'livraison',
    from: 'du',
    follows: "à|au|et|ou|en|pour|par|avec|dans|chez|si|mais|l[ea]|les|est|sera|jusqu'au",
  },
  hi: {
    before: 'दिनांक|तारीख|अंतिम तिथि',
    clearAfter: 'को|तक|सुबह|शाम',
    follows: 'को|से|तक|सुबह|शाम|और|या|है|था|पर',
  },
  ar: {
    before: 'يوم|بتاريخ|تاريخ|الموعد',
    clearBefore: 'في|حتى|قبل|بعد',
    clearAfter: 'الساعة',
    from: 'من',
    follows: 'الساعة|إلى|حتى|في|أو|على|من الساعة',
  },
  sw: {
    before: 'tarehe',
    clearBefore: 'hadi|kabla ya',
    clearAfter: 'saa',
    from: 'tarehe|kuanzia|kutoka',
    follows: 'saa|na|au|hadi|kwa|ni',
  },
}
/** With a full stop, where that is no decimal mark. */
export const STOPPED: Readonly<Record<string, Signs>> = {
  de: {
    before: 'am|vom|zum|bis zum|ab dem|seit dem|Termin|Lieferung',
    clearAfter: 'um|bis zum',
    // A noun has a capital, and a value that changes does so `auf` another.
    follows: String.raw`(?!auf(?!\p{L}))\p{Ll}+`,
  },
  ru: {
    before: String.raw`доставка|доставки|срок|дата|даты|встреча|запись|приём|прием|вылет|прилёт|заезд|выезд|среду|пятницу|субботу|(?<=(?:^|[.,;!?(–—] ?|(?<!\p{L})(?:действ|оплат|сда|отправ|присла|заказ|скидк|акци|срок|успе|продл|отпуск)\p{L}{0,12} ))до`,
    from: 'со?',
    follows: 'во?|со?|до|по|ко?|и|или|на|у|для|а|но|включительно|мы|вы',
  },
}

/** Between two dates. */
export const UNTIL: Readonly<Record<string, string>> = {
  en: 'to|until|till|through|thru',
  es: 'al?|hasta el',
  pt: 'a|à|ao|até',
  fr: "au|jusqu'au",
  de: 'bis',
  ru: 'по|до',
  hi: 'से',
  ar: 'إلى',
  sw: 'hadi',
}
