/** Texts with their languages, rich in noise and in changes of dictionary. */
export const SPOKEN = [
  ['en-US', 'This is six, 60 percent.'],
  ['ne-NP', 'नमस्ते hello'],
  ['ru-RU', 'Привет'],
] as const
