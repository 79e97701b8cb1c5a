const ACRONYMS = /\b(?:mrz|ocr|id|pdf)\b/g

/** Returns a code as people read it: `mrz_not_found` is "MRZ not found". */
export function words(code: string): string {
  const text = code.replaceAll(/[_-]+/g, ' ').replaceAll(ACRONYMS, (name) => name.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}
