/** Texts that engines are known to obey as commands, and texts that have crashed or confused them. */
const PIECES = [
  'hello',
  'one two',
  ' ',
  '\n\n',
  '. ',
  // eSpeak NG: commands after a control character, phonemes in brackets, code points that it uses internally.
  '\u000199H',
  '\u00012F',
  '\u000119T',
  '\u00010A ',
  '\u0001Vde ',
  '\u0001B. ',
  '\u0001+10S',
  '[[',
  ']]',
  '[\u0002',
  '[\u200d[',
  '[\u00ad[',
  "[[h@'loU]]",
  '\u0530',
  '\u0557',
  '\ue03c',
  // SSML, and input that trips up its parsers.
  '<break time="9s"/>',
  '<prosody rate="x-fast" pitch="+90%" volume="silent">',
  '<voice name="de">',
  '<say-as interpret-as="characters">',
  '<audio src="/etc/passwd"/>',
  '<speak xml:lang="ru">',
  '</prosody>',
  '<!--',
  '<![CDATA[',
  '<',
  '&lt;break/&gt;',
  '&#1;99H',
  '&#91;&#91;',
  '&amp;',
  '&',
  // Acapela and Vocalizer, DECtalk, Eloquence, Festival, SAPI 4, ANSI.
  '\\pau=9000\\',
  '\\rst\\',
  '\u001b\\vol=0\\',
  '[:rate 300]',
  '[:phoneme on]',
  '`v2',
  '{ph}',
  '(voice_kal_diphone)',
  '\\Pit=20\\',
  '\u001b[31m',
  // Difficult text.
  '\u0000',
  '\u007f\u0085',
  '\ud800',
  '\udfff\ud83d',
  '\ufffe\u{10ffff}',
  '\u{f0000}',
  '\ufeff',
  '\u202e\u2066\u200f',
  'e\u0301\u0302\u0303',
  '👩‍👩‍👧',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '⣿',
  'क्\u200dष',
  'می\u200cروم',
  '123,456.789',
  '1.1.1.1',
  '!!!???',
  '"\'`',
] as const

/** Yields each piece between words, then random rows of pieces. The same seed gives the same texts, to repeat a failure. */
export function* hostileTexts(options: { rows: number; seed: number }): Generator<string> {
  for (const piece of PIECES) yield `one ${piece} two`
  const random = randomFrom(options.seed)
  for (let row = 0; row < options.rows; row++)
    yield Array.from({ length: 1 + random(8) }, () =>
      random(4) === 0 ? String.fromCharCode(random(0x1_00_00)) : (PIECES[random(PIECES.length)] ?? ''),
    ).join('')
}

/** Creates a generator of integers below a limit, by mulberry32. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}
