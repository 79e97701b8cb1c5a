import { readFences } from './read-fences.ts'

export const isInstall = (line: string): boolean => line.startsWith('npm install ')

/** Returns the packages that the examples of a README import and that it never says to install. */
export function findNotInstalled(readme: string): string[] {
  const installed = Array.from(readme.matchAll(/npm install ([^`\n]+)/g), ([, words = '']) =>
    words.split(' ').map((word) => word.replace(/(?<=.)@.*$/, '')),
  ).flat()
  const imported = readFences(readme)
    .filter(({ opening }) => opening === 'ts example')
    .flatMap(({ text }) => [...text.matchAll(/ from '(?!node:)((?:@[^/']+\/)?[^/']+)/g)])
    .map(([, name = '']) => name)
  return [...new Set(imported)].filter((name) => !installed.includes(name))
}
