import path from 'node:path'

/** Matches the target of a Markdown link or image; `[x]: target` definitions are not used here. */
const LINK = /(?<=\]\()[^)\s]+(?=\))/g
const FENCE = /^(```|~~~)[\s\S]*?^\1\s*$/gm
const isRelative = (target: string): boolean => !/^(?:[a-z][a-z\d+.-]*:|#|\/\/)/i.test(target)

/** Returns every relative link of a Markdown file, without its `#fragment`. */
export const relativeLinks = (markdown: string): string[] =>
  [...markdown.replaceAll(FENCE, '').matchAll(LINK)]
    .map(([target]) => target)
    .filter(isRelative)
    .map((target) => target.replace(/#.*$/, ''))

/**
 * Makes relative links absolute, because a README on npm has no files beside it.
 *
 * @param options.directory of the README, relative to the root of the repository
 * @param options.files address of the root's files, without a slash at its end
 */
export function makeLinksAbsolute(readme: string, options: { directory: string; files: string }): string {
  const resolve = (target: string): string =>
    isRelative(target) ? `${options.files}/${path.posix.join(options.directory, target)}` : target
  const pieces: string[] = []
  let end = 0
  for (const fence of readme.matchAll(FENCE)) {
    pieces.push(readme.slice(end, fence.index).replaceAll(LINK, resolve), fence[0])
    end = fence.index + fence[0].length
  }
  return [...pieces, readme.slice(end).replaceAll(LINK, resolve)].join('')
}
