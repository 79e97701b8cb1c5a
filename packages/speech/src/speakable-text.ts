/**
 * Characters that say nothing and that engines take as commands (eSpeak NG: U+0001) or use inside (U+E03C): controls but
 * tab and line ends, halves of surrogate pairs, private use, noncharacters, U+FFF9 to U+FFFD.
 */
const SEPARATING = String.raw`(?![\t\n\r])[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\ufff9-\ufffd]`
/** Marks of direction and the byte order mark: unseen, and they part no words. */
const UNSEEN = String.raw`[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff]`
/** Tags write what no reader sees, except behind the flag that they are a part of (UTS 51, ED-14a). */
const FLAG = String.raw`\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}`
const TAG = String.raw`[\u{e0000}-\u{e007f}]`
const UNSPEAKABLE = new RegExp(`${FLAG}|(${SEPARATING})|${UNSEEN}|${TAG}`, 'gu')

/** Ignorable characters, which an engine may drop before it looks for its commands. */
const IGNORABLE = String.raw`[^\p{L}\p{N}\p{P}\p{S}\s]*`
/**
 * How commands of engines begin that plain text hardly has: `[[` of eSpeak NG, Piper and macOS with its `]]`, `[:` of
 * DECtalk, `\pau=` and `\rst\` of Acapela and Vocalizer. A space after the first character makes text of them.
 */
const COMMAND = new RegExp(
  [
    String.raw`\[(?=${IGNORABLE}\[|:)`,
    String.raw`\](?=${IGNORABLE}\])`,
    String.raw`\\(?=[A-Za-z]{1,20}[=\\])`,
  ].join('|'),
  'gu',
)

/**
 * A text with nothing in it that an engine could obey rather than say. What is removed leaves a space, except where it
 * parted no words; text that people write, in any script, stays as it is. Markup (`<`, `&`) is left to the engines
 * that read it: only they know how to escape it.
 *
 * @example
 * speakableText('one\u0001two [[3]]') // 'one two [ [3] ]'
 */
export function speakableText(text: string): string {
  return text
    .replace(UNSPEAKABLE, (match, separating: string | undefined) => {
      if (separating !== undefined) return ' '
      return match.startsWith('\u{1f3f4}') ? match : ''
    })
    .replace(COMMAND, '$& ')
}
