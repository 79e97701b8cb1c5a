/** Returns the content of the first fence of a README with this opening. */
export function findFence(readme: string, opening: string): string | undefined {
  const words = opening.replaceAll(/[^\w ]/g, String.raw`\$&`)
  return new RegExp(`^\`\`\`${words}\\r?\\n([\\s\\S]*?)^\`\`\`\\s*$`, 'm').exec(readme)?.[1]
}

/** Returns the example that CI runs from the README of each published package. */
export const findExample = (readme: string): string | undefined => findFence(readme, 'ts example')
