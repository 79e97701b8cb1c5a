import { toOrdinal } from 'n2words/es-ES'

/** Larger ordinals are left in digits: few say `cuadringentésimo`. */
const WORDS_BELOW = 200

/** Masculine nouns that are often numbered, before which ordinals are shortened. */
const COUNTED_NOUN =
  /^ (?:piso|puesto|lugar|premio|grado|curso|día|mes|año|capítulo|artículo|trimestre|semestre|siglo|aniversario|hijo|intento|paso|nivel|tomo|acto|asalto|partido|ciclo)(?!\p{L})/u
const OWN_ORDINALS: Readonly<Record<number, string>> = { 11: 'undécimo', 12: 'duodécimo' }

/** Ordinals up to the thirtieth are one word: `decimotercero`, `vigesimoprimero`. */
export function ordinal(number: number, suffix: string, after: string): string {
  const isFeminine = /ª|a$/.test(suffix)
  if (number >= WORDS_BELOW) return `${number}${isFeminine ? 'ª' : 'º'}`
  const words = (OWN_ORDINALS[number] ?? toOrdinal(number))
    .replace(/^décimo /, 'decimo')
    .replace(/^vigésimo /, 'vigesimo')
    .replace('oo', 'o')
  if (isFeminine) return words.replace(/o(?=$| )/g, 'a')
  return /er$|ᵉʳ$/.test(suffix) || COUNTED_NOUN.test(after)
    ? words.replace(/(?<=(?:prim|terc)er)o$/, '')
    : words
}
