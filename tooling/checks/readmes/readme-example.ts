/** The first fence of a README that opens with these words, without the fence itself. */
export function findFence(readme: string, opening: string): string | undefined {
  const words = opening.replaceAll(/[^\w ]/g, String.raw`\$&`)
  return new RegExp(`^\`\`\`${words}\\r?\\n([\\s\\S]*?)^\`\`\`\\s*$`, 'm').exec(readme)?.[1]
}

/** What CI runs of the README of every published package. */
export const findExample = (readme: string): string | undefined => findFence(readme, 'ts example')
