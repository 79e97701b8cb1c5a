/** How a verification call reaches whoever is to hear its code. */
export type Ringing = 'phone' | 'simulated' | 'unheard'

/**
 * Decides who hears the code. The response of the API shows it only if no call of the mode can ring a phone: otherwise a number that the
 * simulator takes could be verified by nobody, and then be shown to people.
 */
export function chooseRinging(route: {
  livemode: boolean
  isSimulator: boolean
  isModeSimulated: boolean
}): Ringing {
  if (!route.isSimulator) return 'phone'
  return !route.livemode && route.isModeSimulated ? 'simulated' : 'unheard'
}
