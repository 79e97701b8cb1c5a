/** Texts with their languages, full of noise and of changes of the dictionary. */
export const SPOKEN = [
  ['en-US', 'This is six, 60 percent.'],
  ['ne-NP', 'नमस्ते hello'],
  ['ru-RU', 'Привет'],
] as const
