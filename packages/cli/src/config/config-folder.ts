import path from 'node:path'
import type { CliEnvironment } from '../cli-environment.ts'

export type Machine = Pick<CliEnvironment, 'variables' | 'homeDirectory'>

/** Returns the folder by the XDG Base Directory specification, which ignores relative paths. */
export function configFolder({ variables, homeDirectory }: Machine): string {
  const base = variables['XDG_CONFIG_HOME'] ?? ''
  return path.join(path.isAbsolute(base) ? base : path.join(homeDirectory, '.config'), 'vaani')
}
