import { languagePackage, toLanguageCodes } from '@vaani/identity-checks/ocr'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'

/** Fails at the start, instead of in each request. @throws ConfigError naming the package that is missing */
export function requireLanguages(tags: readonly string[]): void {
  for (const tag of tags) {
    const name = languagePackage(tag)
    if (name === undefined)
      throw new ConfigError(`VAANI_OCR_LANGUAGES: ${tag} is not a language that can be read`)
    if (toLanguageCodes(tag) === undefined)
      throw new ConfigError(
        `VAANI_OCR_LANGUAGES: ${tag} needs the package ${name}, which is not installed in VAANI_ENGINES_DIRECTORY`,
      )
  }
}
