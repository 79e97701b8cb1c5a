import { readdir } from 'node:fs/promises'
import path from 'node:path'
import {
  BUILT_IN_TEMPLATES,
  parseTemplate,
  type Template,
  TemplateError,
} from '@vaani/identity-checks/templates'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { readSettingsFile } from '@vaani/service-kit/settings/read-settings-file'
import { z } from 'zod'

const SETTING = 'VAANI_IDENTITY_TEMPLATES'

/**
 * Loads the operator's templates, one from each `.json` file of a folder in the order of their names, and then those built in. A
 * template of the operator replaces the built-in one of its name.
 *
 * @throws ConfigError if the folder or a file cannot be read, or a template is invalid
 */
export async function loadTemplates(folder: string | undefined): Promise<readonly Template[]> {
  if (folder === undefined) return BUILT_IN_TEMPLATES
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${SETTING} cannot be read (${error.code})`)
  })
  const own: Template[] = []
  for (const name of names.filter((one) => one.endsWith('.json')).toSorted()) {
    const template = await loadTemplate(path.join(folder, name), `${SETTING} ${name}`)
    if (own.some((other) => other.name === template.name))
      throw new ConfigError(`${SETTING} ${name}: ${template.name} is the name of another template`)
    own.push(template)
  }
  if (own.length === 0) throw new ConfigError(`${SETTING} has no .json file`)
  return [...own, ...BUILT_IN_TEMPLATES.filter(({ name }) => own.every((other) => other.name !== name))]
}

async function loadTemplate(file: string, what: string): Promise<Template> {
  const value = await readSettingsFile(what, file, z.unknown())
  try {
    return parseTemplate(value)
  } catch (error) {
    throw error instanceof TemplateError ? new ConfigError(`${what} ${error.message}`) : error
  }
}
