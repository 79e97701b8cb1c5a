import { spawn } from 'node:child_process'
import type { CliEnvironment } from '../cli-environment.ts'

type Variables = CliEnvironment['variables']

/** Allows nothing that an opener, or a shell that it starts, could interpret as anything but a URL. */
const PLAIN_URL = /^https?:\/\/[\w.:[\]-]+(\/[\w.~/-]*)?$/
const SECRETS: readonly string[] = ['VAANI_API_KEY', 'VAANI_WEBHOOK_SECRET']

const hasDesktop = (variables: Variables): boolean =>
  Boolean(variables['DISPLAY'] || variables['WAYLAND_DISPLAY'])

/** Returns the program that opens a URL and its arguments before the URL; undefined without a desktop. */
export function openerOf(
  platform: NodeJS.Platform,
  variables: Variables,
): readonly [program: string, ...args: string[]] | undefined {
  switch (platform) {
    case 'darwin':
      return ['open']
    case 'win32':
      // `start` would need a shell.
      return ['rundll32.exe', 'url.dll,FileProtocolHandler']
    default:
      return hasDesktop(variables) ? ['xdg-open'] : undefined
  }
}

/**
 * Opens a URL in the browser of this machine, without a shell.
 *
 * @returns whether a program for it was started
 */
export async function openInBrowser(url: string, variables: Variables): Promise<boolean> {
  const opener = openerOf(process.platform, variables)
  if (opener === undefined || !PLAIN_URL.test(url)) return false
  const [program, ...args] = opener
  const env = Object.fromEntries(Object.entries(variables).filter(([name]) => !SECRETS.includes(name)))
  const child = spawn(program, [...args, url], { env, stdio: 'ignore', detached: true })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  child.once('spawn', () => resolve(true))
  child.once('error', () => resolve(false))
  child.unref()
  return promise
}
