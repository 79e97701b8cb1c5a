/** The lane of what goes to an address that is no endpoint: an account's deliveries to one origin share it. */
export function laneOfUrl(accountId: string, url: string): string {
  // What is no URL has a lane of its own, so that it stops nothing else.
  return `${accountId} ${URL.parse(url)?.origin ?? url}`
}
