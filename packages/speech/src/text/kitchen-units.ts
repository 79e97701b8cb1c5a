import type { Forms, Language } from './language.ts'

const both = (one: string, other: string, feminine = false): Forms => ({
  one: `{0} ${one}`,
  other: `{0} ${other}`,
  ...(feminine && { feminine }),
})

/** The same unit by several symbols. */
const spelled = (symbols: string, forms: Forms): Readonly<Record<string, Forms>> =>
  Object.fromEntries(symbols.split('|').map((symbol) => [symbol, forms]))

/**
 * Units of recipes and counts by short forms that CLDR does not have: those of Merriam-Webster in English, of Duden in German,
 * and in other languages those of recipes.
 */
export const SHORT_UNITS: Readonly<Record<string, Readonly<Record<string, Forms>>>> = {
  en: {
    ...spelled('tsp|tsp.|tsps', both('teaspoon', 'teaspoons')),
    ...spelled('tbsp|tbsp.|tbsps|Tbsp|Tbsp.|tbs', both('tablespoon', 'tablespoons')),
    ...spelled('fl oz|fl. oz.', both('fluid ounce', 'fluid ounces')),
    ...spelled('pts|pts.', both('point', 'points')),
  },
  es: {
    ...spelled('cda.|cdas.|cda|cdas', both('cucharada', 'cucharadas', true)),
    ...spelled('cdta.|cdtas.|cdta|cdtas', both('cucharadita', 'cucharaditas', true)),
    ...spelled('pts.|ptos.', both('punto', 'puntos')),
    ...spelled('pers.', both('persona', 'personas', true)),
  },
  fr: {
    ...spelled('c. à s.|c. à s|c.à.s.|c. à soupe', both('cuillère à soupe', 'cuillères à soupe', true)),
    ...spelled('c. à c.|c. à c|c.à.c.|c. à café', both('cuillère à café', 'cuillères à café', true)),
    ...spelled('pers.', both('personne', 'personnes', true)),
    ...spelled('pts', both('point', 'points')),
  },
  de: {
    EL: { other: '{0} Esslöffel' },
    TL: { other: '{0} Teelöffel' },
    ...spelled('Std.|Std', both('Stunde', 'Stunden', true)),
    ...spelled('Min.|Min', both('Minute', 'Minuten', true)),
    ...spelled('Sek.|Sek', both('Sekunde', 'Sekunden', true)),
    'Stk.': { other: '{0} Stück' },
    ...spelled('Pck.|Pkg.', { other: '{0} Päckchen' }),
    'Pers.': both('Person', 'Personen', true),
  },
  pt: {
    ...spelled('xíc.|xíc', both('xícara', 'xícaras', true)),
    ...spelled('col. de sopa|col. (sopa)|c. de sopa', both('colher de sopa', 'colheres de sopa', true)),
    ...spelled('col. de chá|col. (chá)|c. de chá', both('colher de chá', 'colheres de chá', true)),
    'pess.': both('pessoa', 'pessoas', true),
  },
  ru: {
    ...spelled('ч. л.|ч.л.', {
      feminine: true,
      one: '{0} чайная ложка',
      few: '{0} чайные ложки',
      many: '{0} чайных ложек',
      other: '{0} чайной ложки',
    }),
    ...spelled('ст. л.|ст.л.', {
      feminine: true,
      one: '{0} столовая ложка',
      few: '{0} столовые ложки',
      many: '{0} столовых ложек',
      other: '{0} столовой ложки',
    }),
    ...spelled('чел.', {
      one: '{0} человек',
      few: '{0} человека',
      many: '{0} человек',
      other: '{0} человека',
    }),
    ...spelled('шт.', {
      feminine: true,
      one: '{0} штука',
      few: '{0} штуки',
      many: '{0} штук',
      other: '{0} штуки',
    }),
  },
}

/** More of something are no spoons. */
export const MOST_SPOONS = 10
export const MOST_TEASPOONS = 5

/** What spoons measure. Sources of patterns. */
const INGREDIENTS: Readonly<Record<'en' | 'de', RegExp>> = {
  en: /^ (?:(?:finely|freshly|granulated|powdered|ground|dried|chopped|fresh|minced|kosher|sea|brown|black|white|olive|vegetable|active|dry|pure|grated) ){0,2}(?:salt|sugar|pepper|cinnamon|vanilla|baking (?:powder|soda)|cumin|paprika|oil|butter|honey|yeast|ginger|nutmeg|oregano|thyme|basil|garlic|turmeric|cloves?|mustard|vinegar|lemon juice|lemon zest|cornstarch|cocoa|cayenne|coriander|chil[il]i?|allspice|cardamom|soy sauce|extract)(?!\p{L})(?! (?:truck|shipment|lorry|load|cargo|mine))/u,
  de: /^ (?:(?:frisch|fein|grob|\p{Ll}{2,20}(?:e|er|es|en)) ){0,3}\p{L}{0,20}(?:salz|zucker|mehl|öl|pulver|butter|zimt|honig|essig|senf|paprika|pfeffer|natron|stärke|kakao|milch|wasser|sahne|saft|so[sß]e|sauce|mark|hefe|vanille|kurkuma|curry|kümmel|ingwer|thymian|oregano|rosmarin|basilikum|petersilie|schnittlauch|koriander|muskat|nelken|kardamom|sirup|extrakt|paste|brühe|joghurt|quark|schmand|mayonnaise|ketchup|samen|flocken|kräuter|rosinen|reis|grieß|linsen|gelatine|minze|dill|chili|kerne|sesam|tahini|kapern|zwiebeln?|knoblauch|parmesan|käse|konfitüre|marmelade|likör|wein|brösel|nüsse|mandeln|rum|abrieb|schale)(?!\p{L})/iu,
}

/** Whether a text begins with something that spoons measure. */
export const isIngredient = (after: string, language: 'en' | 'de'): boolean =>
  INGREDIENTS[language].test(after)

/** Units with a full stop whose noun follows with a capital: all nouns of German, and what English lists in a recipe. */
const NOUN_FOLLOWS: Readonly<Record<string, RegExp>> = {
  de: /^(?:Std|Min|Sek|Stk|Pck|Pkg)\.$/,
  en: /^(?:tsp|tbsp|Tbsp|fl\. oz)\.$/,
}
/** Words that begin a sentence after such a unit. */
const BEGINS_SENTENCE: Readonly<Record<string, RegExp>> = {
  de: /^\s?(?:Ab|Aber|Alle[ns]?|Als|Also|Am|An|Anschließend|Auch|Auf|Aus|Bei|Bis|Bitte|Da|Dabei|Daher|Damit|Danach|Dann|Das|Dazu|De[mnrs]|Denn|Deshalb|Die|Diese[mnrs]?|Doch|Dort|Du|Durch|Eine?[mnrs]?|Er|Es|Etwas|Für|Gegen|Heute|Hier|Ich|Ihre?|Im|In|Ist|Jede[mnrs]?|Jetzt|Keine?[mnrs]?|Man|Mehr|Meine?|Mit|Morgen|Nach|Noch|Nun|Nur|Oder|Ohne|Schließlich|Sie|Sind|So|Sofort|Sonst|Später|Über|Um|Und|Unsere?|Unter|Vom?|Von|Vor|Während|Warum|Was|Weil|Wenn|Wer|Wie|Wir|Wo|Zu[mr]?|Zuerst|Zuletzt)(?!\p{L})/u,
  en: /^\s?(?:An?|Add|After|All|Allow|And|Arrange|As|At|Bake|Beat|Blend|Boil|Bring|Brush|But|Chill|Combine|Continue|Cook|Cover|Cut|Divide|Drain|Drizzle|Each|Fold|For|Fry|Grill|He|Heat|I|If|In|It|Keep|Knead|Leave|Let|Make|Mash|Melt|Mix|Next|Now|On|Or|Our|Place|Pour|Preheat|Put|Reduce|Remove|Repeat|Return|Roast|Roll|Season|Serve|Set|She|Sift|Simmer|Slice|Spread|Sprinkle|Stir|Take|Taste|That|The|Then|There|These|They|This|To|Top|Toss|Transfer|Turn|Use|Warm|Wash|We|When|Whisk|With|You|Your)(?!\p{L})/u,
}
const NOUN = /^\s?\p{Lu}\p{Ll}/u
/** `15 Min.`, which is part of one time with the hours before it. */
const GERMAN_TIME = /^\s?\d{1,3}(?:[.,]\d)?\s(?:Min|Sek)(?!\p{L})/u

/** Whether the full stop of a unit does not end the sentence, because what is measured follows: `1 Pck. Vanillezucker`. */
export function goesOnAfterUnit(unit: string | undefined, after: string, { locale }: Language): boolean {
  const base = locale.slice(0, 2)
  if (unit === undefined || NOUN_FOLLOWS[base]?.test(unit) !== true) return false
  if (base === 'de' && GERMAN_TIME.test(after)) return true
  return NOUN.test(after) && BEGINS_SENTENCE[base]?.test(after) !== true
}

const AMOUNT_END = /(?<![\p{L}\p{N}])[\d½¼¾⅓⅔⅛]{1,4}\s?(?<unit>(?:fl\. )?\p{L}{2,4}\.)$/u

/** Whether a text ends with an amount of which what is measured follows. */
export const amountGoesOn = (tail: string, after: string, language: Language): boolean =>
  goesOnAfterUnit(AMOUNT_END.exec(tail)?.groups?.['unit'], after, language)
