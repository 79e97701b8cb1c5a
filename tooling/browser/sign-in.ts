import type { Page } from 'playwright-core'

/** Signs in on a page of the console that asks for a key. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page
    .getByRole('main')
    .filter({ hasNot: page.getByLabel('API key') })
    .waitFor()
}
