import type { Language } from '../language.ts'

export type Gender = 'masculine' | 'feminine' | 'neuter'
type Case = 'nominative' | 'accusative' | 'dative'

const ONE: Readonly<Record<Case, Readonly<Record<Gender, string>>>> = {
  nominative: { masculine: 'ein', feminine: 'eine', neuter: 'ein' },
  accusative: { masculine: 'einen', feminine: 'eine', neuter: 'ein' },
  dative: { masculine: 'einem', feminine: 'einer', neuter: 'einem' },
}

/** The case after words that one thing may follow. After others, it may be any, or `1` is rather a name: `nur 1 Tag`, `Zimmer 1`. */
const CASE_AFTER: Readonly<Record<Exclude<Case, 'nominative'>, string>> = {
  accusative:
    'für|um|ohne|gegen|durch|pro|habe|hast|hat|haben|hatte|hatten|brauche|brauchst|braucht|brauchen|kostet|kosten|dauert|dauern|bekommt|bekommen|gibt|gab|nehme|nimmt|nehmen|kaufe|kauft|kaufen',
  dative: 'in|seit|mit|nach|vor|bei|aus|von|zu|ab|binnen',
}

/** Common nouns, and endings, by their gender. Other nouns are left to the engine. */
const GENDERS: Readonly<Record<Gender, RegExp>> = {
  masculine:
    /tag$|^(?:Tag|Monat|Mann|Mensch|Platz|Euro|Cent|Liter|Meter|Kilometer|Zentimeter|Punkt|Schritt|Artikel|Löffel|Teelöffel|Esslöffel|Becher|Gast|Fehler|Treffer|Anruf|Termin|Name|Kunde|Junge|Kollege|Gedanke|Versuch|Sitz|Fall|Grad|Dollar)$/,
  neuter:
    /(?:chen|ment)$|^(?:Jahr|Kind|Stück|Mal|Haus|Auto|Buch|Zimmer|Bett|Glas|Bild|Wort|Ei|Pfund|Kilo|Kilogramm|Gramm|Ende|Auge|Gebäude|Ergebnis|Ticket|Paket|Viertel|Drittel|Spiel|Tor|Tier|Land|Dokument)$/,
  feminine:
    /(?:ung|heit|keit|schaft|ion|tät)$|^(?:Stunde|Minute|Sekunde|Woche|Nacht|Person|Frau|Seite|Milliarde|Billiarde|Stelle|Aufgabe|Frage|Datei|Nachricht|Mail|Dose|Flasche|Tasse|Prise|Portion|Tonne|Meile|Etage|Reise|Karte|Stadt|Zahl|Kopie|Probe|Tablette|Zeile|Runde|Gruppe|Familie|Kiste|Tüte|Scheibe|Zehe|Zwiebel)$/,
}

/** Gender of a noun; undefined if it is not known. */
export const genderOf = (noun: string): Gender | undefined =>
  (['masculine', 'neuter', 'feminine'] as const).find((one) => GENDERS[one].test(noun))

const BEFORE_UNITS = 24
const caseAfter = (['accusative', 'dative'] as const).map(
  (name) => [name, new RegExp(String.raw`(?<!\p{L})(?:${CASE_AFTER[name]})\s$`, 'iu')] as const,
)
const STARTS = /(?:^|[.;:!?(„“–—]\s?)$/u

/** One thing, which digits would have as `eins`: `1 Tag`, `seit 1 Jahr`, `1 Million`. */
export const germanOne: NonNullable<Language['counters']>[number] = {
  pattern: /(?<![\p{L}\p{N}_.,:/+$€£#-])1(?= (?<noun>\p{Lu}\p{Ll}{1,23})(?![\p{L}\p{N}-]))/gu,
  say({ 0: written, index, input, groups: { noun = '' } = {} }) {
    const before = input.slice(Math.max(0, index - BEFORE_UNITS), index)
    const known = STARTS.test(before) ? 'nominative' : caseAfter.find(([, after]) => after.test(before))?.[0]
    const gender = genderOf(noun)
    return known === undefined || gender === undefined ? written : ONE[known][gender]
  },
}
