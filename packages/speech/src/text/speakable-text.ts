/**
 * Characters without speech that engines take as commands (eSpeak NG: U+0001) or use internally (U+E03C): controls except
 * tab and line ends, lone surrogates, private use, noncharacters, U+FFF9 to U+FFFD.
 */
const SEPARATING = String.raw`(?![\t\n\r])[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\ufff9-\ufffd]`
/** Direction marks and the byte order mark: invisible, and they separate no words. */
const UNSEEN = String.raw`[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff]`
/** Tag characters are invisible text, except after the flag that they are part of (UTS 51, ED-14a). */
const FLAG = String.raw`\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}`
const TAG = String.raw`[\u{e0000}-\u{e007f}]`
/** Removed by `replaceUnspeakable`. */
export const UNSPEAKABLE_PATTERN = new RegExp(`${FLAG}|(${SEPARATING})|${UNSEEN}|${TAG}`, 'gu')

/** Ignorable characters, which an engine may drop before it looks for commands. */
const IGNORABLE = String.raw`[^\p{L}\p{N}\p{P}\p{S}\s]*`
/**
 * Starts of engine commands that are rare in plain text: `[[` (and its `]]`) of eSpeak NG, Piper and macOS, `[:` of
 * DECtalk, `\pau=` and `\rst\` of Acapela and Vocalizer. A space after the first character makes plain text of them.
 */
export const COMMAND_PATTERN = new RegExp(
  [
    String.raw`\[(?=${IGNORABLE}\[|:)`,
    String.raw`\](?=${IGNORABLE}\])`,
    String.raw`\\(?=[A-Za-z]{1,20}[=\\])`,
  ].join('|'),
  'gu',
)

/**
 * Removes or disarms everything in a text that an engine could obey rather than speak. A space replaces a removed
 * character unless it separated no words. Ordinary text in any script stays unchanged. Engines that parse markup (`<`,
 * `&`) must escape it themselves, because only they know how.
 *
 * @example
 * speakableText('one\u0001two [[3]]') // 'one two [ [3] ]'
 */
export function speakableText(text: string): string {
  return text
    .replace(UNSPEAKABLE_PATTERN, (match, separating: string | undefined) =>
      replaceUnspeakable(match, separating),
    )
    .replace(COMMAND_PATTERN, '$& ')
}

/** Replaces a match of `UNSPEAKABLE_PATTERN`, whose group separates words. */
export function replaceUnspeakable(match: string, separating: string | undefined): string {
  if (separating !== undefined) return ' '
  return match.startsWith('\u{1f3f4}') ? match : ''
}
